/// The mechanism that carries events to a lane.
public enum CarrierKind: String, CaseIterable, Sendable {
  /// The frame loop.
  case main
  /// A plain thread.
  case thread
  /// A scheduler of SchedulableObjects.
  case scheduler
  /// The first sketch of that scheduler.
  case naive
  /// A dispatch queue.
  case dispatch
  /// Foundation's `OperationQueue`.
  case operationQueue = "operation-queue"
  /// Swift's actors on the default executor.
  case actor
  /// Swift's actors on a scheduler as executor.
  case actorOnScheduler = "actor-on-scheduler"
  /// A `RunLoop` of Foundation on a thread.
  case runLoop = "run-loop"
  /// SwiftNIO's event loop.
  case nio
  /// OrderedDelivery's stages.
  case ordered
  /// The library Jobs: each event is stored while it waits.
  case jobQueue = "job-queue"
  /// Encoded calls over a bridge within the process.
  case bridge
  /// Calls to another process.
  case process

  /// What it promises and what it costs.
  public var description: CarrierDescription {
    switch self {
    case .main: .main
    case .thread: .thread
    case .scheduler: .scheduler
    case .naive: .naive
    case .dispatch: .dispatch
    case .operationQueue: .operationQueue
    case .actor: .actor
    case .actorOnScheduler: .actorOnScheduler
    case .runLoop: .runLoop
    case .nio: .nio
    case .ordered: .ordered
    case .jobQueue: .jobQueue
    case .bridge: .bridge
    case .process: .process
    }
  }
}
