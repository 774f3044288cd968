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
