internal import Concurrency

/// A problem that a scheduler reports because it would otherwise be silent.
public enum Report: Sendable, Equatable, CustomStringConvertible {
  /// An event will never run. A `call` throws its error instead.
  case refused(Refusal)
  /// Code that belongs to a scheduler ran elsewhere. Reported once for each call site.
  case wrongThread(WrongThread)
  /// More events wait than the high-water mark allows. Reported again after the queue was half empty.
  case highWater(scheduler: String, waiting: Int)
  /// A scheduler was released without a shutdown while `waiting` events waited. On a thread the events that are due still
  /// run, unless the process ends first; the others are refused.
  case forgotten(scheduler: String, waiting: Int)
  /// For a second only its own objects have referenced a scheduler. Its thread stays as long as they do, which is for ever
  /// if an object references its own handle, or objects reference one another's.
  case keptByObjects(scheduler: String, objects: Int)
  /// A task's actor lives on a scheduler whose thread has ended; the task continues elsewhere, one step at a time.
  case lateTask(scheduler: String)

  public var description: String {
    switch self {
    case .refused(let refusal): "event refused: \(refusal)"
    case .wrongThread(let error): error.description
    case .highWater(let scheduler, let waiting):
      "scheduler '\(scheduler)' is behind: \(waiting) events wait"
    case .forgotten(let scheduler, let waiting):
      "scheduler '\(scheduler)' was dropped without a shutdown; events that waited: \(waiting)"
    case .keptByObjects(let scheduler, let objects):
      "scheduler '\(scheduler)' was dropped without a shutdown; objects there that keep its thread: \(objects)"
    case .lateTask(let scheduler):
      "a task outlived scheduler '\(scheduler)', which its actor lives on"
    }
  }

  /// Writes a report to standard error.
  public static func toStandardError(_ report: Report) {
    Platform.writeToStandardError("SchedulableObjects: \(report)")
  }
}

/// The reason why an event did not run.
public struct Refusal: Error, Equatable, CustomStringConvertible {
  /// Why an event was refused.
  public enum Reason: Sendable, Equatable {
    /// It was sent after the scheduler was shut down, or the shutdown dropped it.
    case shutDown
    /// The queue was full and drops the newest.
    case full
    /// It was the oldest in a full queue that drops the oldest.
    case evicted
    /// It was withdrawn before it began.
    case cancelled
  }

  /// The scheduler's name.
  public let scheduler: String
  /// Why the event was refused.
  public let reason: Reason

  public var description: String {
    switch reason {
    case .shutDown: "scheduler '\(scheduler)' is shut down"
    case .full: "the queue of scheduler '\(scheduler)' is full"
    case .evicted: "an event of scheduler '\(scheduler)' made room for a newer one"
    case .cancelled: "an event of scheduler '\(scheduler)' was cancelled"
    }
  }
}

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

/// What happens when code that belongs to a scheduler runs elsewhere.
public enum WrongThreadCheck: Sendable, CaseIterable {
  /// Nothing is checked.
  case off
  /// Each call site is reported once, and the code continues: for releases in which a crash is worse than a race.
  case report
  /// The process stops at the first violation; the default.
  case trap
}
