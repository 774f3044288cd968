internal import Dispatch
public import FrameBudget
internal import SchedulableObjects

/// A lane that is an actor on the default executor.
///
/// Synchronous code can only start a task that calls the actor, and tasks have no order among each other.
public struct ActorCarrier: Carrier {
  private let resident = Resident()
  private let tasks = DispatchGroup()
  private let priority: TaskPriority

  public init(_ lane: Lane) { priority = lane.taskPriority }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    tasks.enter()
    Task(priority: priority) { [resident, tasks] in
      await resident.run(posted)
      tasks.leave()
    }
  }

  public func send(_ number: Int, to tally: EventTally) {
    Task(priority: priority) { [resident] in await resident.count(number, tally) }
  }

  public func stop() { tasks.wait() }

  private actor Resident {
    func run(_ event: PostedEvent) { event.run() }

    func count(_ number: Int, _ tally: EventTally) { tally.ran(number) }
  }
}

/// A lane that is an actor on the library's scheduler.
public struct ActorOnSchedulerCarrier: Carrier {
  private let resident: Resident
  private let tasks = DispatchGroup()

  public init(_ lane: Lane) throws(CarrierError) {
    resident = Resident(scheduler: try .lane(lane))
  }

  public func post(_ event: sending @escaping () -> Void, hasPriority: Bool) {
    let posted = PostedEvent(event)
    tasks.enter()
    Task(executorPreference: resident.scheduler.loop) { [resident, tasks] in
      await resident.run(posted)
      tasks.leave()
    }
  }

  public func send(_ number: Int, to tally: EventTally) {
    Task(executorPreference: resident.scheduler.loop) { [resident] in
      await resident.count(number, tally)
    }
  }

  public var wakeUps: Int? { resident.scheduler.counters.wakeUps }

  public func stop() {
    tasks.wait()
    resident.scheduler.shutdownBlocking(.drain)
  }

  private actor Resident {
    let scheduler: ThreadScheduler

    init(scheduler: ThreadScheduler) { self.scheduler = scheduler }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe scheduler.asUnownedSerialExecutor()
    }

    func run(_ event: PostedEvent) { event.run() }

    func count(_ number: Int, _ tally: EventTally) { tally.ran(number) }
  }
}

extension Lane {
  /// The task priority whose threads have this lane's nice value on Linux.
  fileprivate var taskPriority: TaskPriority {
    switch nice {
    case 10: .background
    case 2: .utility
    case -2: .userInitiated
    default: .medium
    }
  }
}
