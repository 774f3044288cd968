internal import Concurrency

/// Something that a scheduler tells its owner, because otherwise it would go unnoticed.
public enum Report: Sendable, Equatable, CustomStringConvertible {
  /// An event will never run. A `call` is told by its error instead.
  case refused(Refusal)
  /// Code that belongs to a scheduler ran elsewhere. Told once for each call site.
  case wrongThread(WrongThread)
  /// More events wait than the high-water mark says. Told again after the queue was half empty.
  case highWater(scheduler: String, waiting: Int)
  /// Nobody holds a scheduler any more that was not shut down, and so many events wait: on a thread those that are due
  /// still run, unless the process ends first; the others are refused.
  case forgotten(scheduler: String, waiting: Int)
  /// Nobody holds a scheduler but its own objects, for a second already: its thread stays as long as they do, which is
  /// for ever if one of them holds its own handle or they hold one another's.
  case keptByObjects(scheduler: String, objects: Int)
  /// A task's actor lives on a scheduler whose thread has ended; the task goes on elsewhere, one step at a time.
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
