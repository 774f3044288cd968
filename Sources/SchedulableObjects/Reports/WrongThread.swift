/// Says which code ran on a thread where it does not belong.
public struct WrongThread: Error, Equatable, Hashable, Sendable, CustomStringConvertible {
  /// The scheduler where the code belongs.
  public let scheduler: String
  /// What was touched, in the words of the caller.
  public let subject: String
  /// The call site.
  public let file: String
  /// The line of the call in that file.
  public let line: UInt

  public var description: String { "\(file):\(line): \(mistake)" }

  /// What is wrong, without the place.
  var mistake: String {
    "\(subject) belongs to scheduler '\(scheduler)' and was used on another thread"
  }
}
