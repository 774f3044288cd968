/// The mechanism that carries events to a lane.
public enum CarrierKind: String, CaseIterable, Sendable {
  /// The frame loop; a plain thread; SchedulableObjects; its first sketch; a dispatch queue.
  case main, thread, scheduler, naive, dispatch
  /// Foundation's `OperationQueue`.
  case operationQueue = "operation-queue"
  /// Swift's actors on the default executor.
  case actor
  /// Swift's actors on a scheduler as executor.
  case actorOnScheduler = "actor-on-scheduler"
  /// A `RunLoop` of Foundation on a thread.
  case runLoop = "run-loop"
  /// SwiftNIO's event loop; OrderedDelivery's stages.
  case nio, ordered
  /// The library Jobs: each event is stored while it waits.
  case jobQueue = "job-queue"
  /// Encoded calls over a bridge within the process; calls to another process.
  case bridge, process

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
