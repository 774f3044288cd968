internal import CFrameBudgetLinux
internal import SchedulableThreads
public import FrameBudget
internal import Synchronization

/// Lets another thread observe and influence a running real run.
///
/// The main thread copies each frame's record into a store of fixed size, which costs one lock, nearly always free, and no
/// allocation. The observer swaps the store for an empty one.
public final class RunWatch: Sendable {
  /// The capacity between two calls of `observe`: more than 15 s of frames at 120 Hz.
  private static let room = 2048

  private let store: Locked<Store>
  private let watched = Locked<Watched?>(nil)
  private let additions = Locked<[Addition]>([])
  /// Additions that are not counted among the expected responses yet.
  private let uncounted = Locked<[Addition]>([])
  private let hasAdditions = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)

  private struct Store {
    var observation: RunObservation
    /// The current frame and its phases so far.
    var current: (frame: OpenFrame, account: FrameAccount)?
    /// When the run ends as planned: what happens later, while a step still runs, is not part of it.
    var end = Instant(nanoseconds: .max)
    /// The items that were done when the run had ended; nil before.
    var itemsDone: Int?
  }

  fileprivate struct Watched {
    let app: LiveApp
    let mainThread: Int32
    let contention: ProcessorContention
    var responses: OpenResponses
    /// The items that were done when somebody last looked before the end.
    var itemsDone = 0

    var end: Instant { .zero + app.plan.scenario.duration }
  }

  /// Items added by the user. They count from the request, even during a hang.
  fileprivate struct Addition {
    let count: Int
    let workload: WorkloadIndex
    let at: Int64
  }

  public init() { store = Locked(Store(observation: Self.withRoom(RunObservation()))) }

  // MARK: For the observer

  /// The observations since the last call.
  ///
  /// Processor times do not include the calling thread; only their differences have a meaning. `spare` lends the arrays of an
  /// older observation to the store.
  public func observe(reusing spare: consuming RunObservation = RunObservation()) -> RunObservation
  {
    var observation = Self.withRoom(spare)
    let (current, itemsDone) = store.withLock { store in
      swap(&store.observation, &observation)
      store.observation.now = observation.now
      store.observation.itemsDelivered = observation.itemsDelivered
      store.observation.framesUnready = observation.framesUnready
      store.observation.isOver = observation.isOver
      return (store.current, store.itemsDone)
    }
    watched.withLock { watched in
      watched?.complete(&observation, itemsDone: itemsDone)
      watched?.count(uncounted, &observation)
      if let watched, let current, let now = observation.now {
        let use = watched.contention.use(ofMain: watched.mainThread)
        observation.openFrame = current.account.record(
          of: current.frame, asOf: now, used: use, contention: watched.contention, watched.refresh)
      }
    }
    return observation
  }

  /// Adds `count` items of `workload` now.
  public func add(_ count: Int, of workload: WorkloadIndex) {
    let addition = Addition(count: count, workload: workload, at: clinux_monotonic())
    additions.withLock { $0.append(addition) }
    uncounted.withLock { $0.append(addition) }
    hasAdditions.store(true, ordering: .releasing)
  }

  /// Ends the run between two steps; unfinished items are pending.
  public func stop() { stopping.store(true, ordering: .relaxed) }

  private static func withRoom(_ observation: consuming RunObservation) -> RunObservation {
    observation.frames.removeAll(keepingCapacity: true)
    observation.frames.reserveCapacity(room)
    observation.responses.removeAll(keepingCapacity: true)
    observation.responses.reserveCapacity(room)
    return observation
  }

  // MARK: For the frame loop

  var isStopping: Bool { stopping.load(ordering: .relaxed) }

  func began(_ app: LiveApp, contention: ProcessorContention) {
    store.withLock { $0.end = .zero + app.plan.scenario.duration }
    watched.withLock {
      $0 = Watched(
        app: app, mainThread: clinux_thread_id(), contention: contention,
        responses: OpenResponses(app.plan))
    }
  }

  /// Records the current phase of the current frame.
  func notePhase(_ account: FrameAccount, of frame: OpenFrame, unready: Int = 1) {
    store.withLock {
      // A frame that the end cuts off stays in the phase that it was in then.
      guard account.since <= $0.end else { return }
      $0.current = (frame, account)
      $0.observation.framesUnready = unready
      $0.observation.now = account.since
    }
  }

  func noteWait(since instant: Instant) {
    store.withLock { store in
      if instant <= store.end { store.current?.account.noteWait(since: instant) }
    }
  }

  func delivered(_ count: Int) { store.withLock { $0.observation.itemsDelivered = count } }

  func frameEnded() { store.withLock { $0.current = nil } }

  /// Records a finished frame, unless the store is full because nothing observes it.
  func frameReady(_ frame: FrameRecord, unready: Int = 0) {
    store.withLock {
      $0.observation.framesUnready = unready
      if $0.observation.frames.count < Self.room { $0.observation.frames.append(frame) }
    }
  }

  func responded(_ response: Response) {
    store.withLock {
      if $0.observation.responses.count < Self.room { $0.observation.responses.append(response) }
    }
  }

  /// Records the end of the run, with the items that it counts as done. A frame that it cuts off stays open.
  func ended(at instant: Instant, itemsDone: Int) {
    store.withLock {
      $0.itemsDone = itemsDone
      $0.observation.now = instant
      $0.observation.isOver = true
    }
  }

  /// Moves the additions since the last call into the arrivals.
  func takeAdditions(into arrivals: inout ArrivalSchedule, clock: RunClock) {
    guard hasAdditions.exchange(false, ordering: .acquiring) else { return }
    for addition in additions.takeAll() {
      arrivals.add(addition.count, of: addition.workload, at: addition.instant(by: clock))
    }
  }
}

extension RunWatch.Addition {
  /// The time of the request, at least time 0.
  fileprivate func instant(by clock: RunClock) -> Instant {
    let late = clinux_monotonic() - clock.now.nanoseconds
    return max(.zero, Instant(nanoseconds: at - late))
  }
}

extension RunWatch.Watched {
  fileprivate var refresh: RefreshRate { app.plan.scenario.display.refresh }

  /// Adds the observations that do not need the main thread; `final` are the items that were done when the run had ended.
  fileprivate mutating func complete(_ observation: inout RunObservation, itemsDone final: Int?) {
    let now = app.clock.now
    // Only the last step goes on after the end, so a view would show a longer run than the results.
    if observation.now != nil && !observation.isOver { observation.now = min(now, end) }
    if now <= end { itemsDone = app.itemsEnded }
    observation.itemsDone = final ?? itemsDone
    observation.publishing = app.services.copyingTime
    observation.suspended = app.suspended?.waiting(of: app.plan) ?? []
    observation.lanes = app.lanes.all.mapValues { $0.meter.use(by: app.clock) }
    observation.lanes[.main] = LaneUse()
    observation.deadlocks = app.lockWaits?.deadlocksByNow ?? []
    let main = TimeSpan(nanoseconds: clinux_cpu_of_thread(mainThread))
    let process = TimeSpan(nanoseconds: clinux_process_cpu())
    observation.mainCPU = main
    observation.backgroundCPU = max(.zero, process - main - .usedByThisThread)
  }

  /// Counts the overdue responses. Before time 0 the arrival of additions is not known.
  fileprivate mutating func count(
    _ uncounted: Locked<[RunWatch.Addition]>, _ observation: inout RunObservation
  ) {
    guard let now = observation.now else { return }
    for addition in uncounted.takeAll() {
      responses.add(addition.count, of: addition.workload, at: addition.instant(by: app.clock))
    }
    for response in observation.responses { responses.answered(response) }
    observation.responsesOverdue = responses.overdue(at: now)
  }
}

/// The progress of a run, for other threads.
public final class RunProgress: Sendable {
  private let nanoseconds = Atomic<Int64>(0)
  private let dropped = Atomic<Int>(0)

  public init() {}

  public var elapsed: TimeSpan { TimeSpan(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
  public var droppedFrames: Int { dropped.load(ordering: .relaxed) }

  /// Resets it for the next run.
  func restart() {
    nanoseconds.store(0, ordering: .relaxed)
    dropped.store(0, ordering: .relaxed)
  }

  func frameEnded(at instant: Instant, dropped count: Int) {
    nanoseconds.store(instant.nanoseconds, ordering: .relaxed)
    dropped.store(count, ordering: .relaxed)
  }
}
