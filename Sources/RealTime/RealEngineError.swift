internal import CLinux

/// Why the real engine could not run.
public enum RealEngineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The process may not do what was asked for.
  case notPermitted(what: String, remedy: String)
  /// The files that steps work on cannot be read.
  case files(FileProblem)
  /// The lanes need more threads than there can be.
  case threads(ThreadShortage)
  /// A lane could not be started.
  case carrier(CarrierError)

  public var description: String {
    switch self {
    case .notPermitted(let what, let remedy): "\(what) is not permitted; \(remedy)"
    case .files(let problem): "\(problem)"
    case .threads(let shortage): "\(shortage)"
    case .carrier(let error): "\(error)"
    }
  }
}

/// Why a carrier could not serve its lane.
public struct CarrierError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }

  /// What `body` returns; what it throws is why the carrier could not serve its lane.
  static func wrapping<Value>(_ body: () throws -> Value) throws(CarrierError) -> Value {
    do {
      return try body()
    } catch {
      throw CarrierError("\(error)")
    }
  }
}
