/// Code that ran on a wrong thread.
public struct WrongThread: Error, Equatable, Hashable, Sendable, CustomStringConvertible {
  /// The name of the scheduler that the code belongs to.
  public let scheduler: String
  /// The object that was accessed, as the caller named it.
  public let subject: String
  /// The file of the call.
  public let file: String
  /// The line of the call in that file.
  public let line: UInt

  public var description: String { "\(file):\(line): \(mistake)" }

  /// The message without the place.
  var mistake: String {
    "\(subject) belongs to scheduler '\(scheduler)' and was used on another thread"
  }
}
