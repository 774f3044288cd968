internal import CLinux
internal import Concurrency
public import FrameBudget
internal import Synchronization

/// A window into a real run: what another thread may see of it, and tell it, while it is under way.
///
/// The main thread leaves a copy of each frame's record in a store of fixed size, which costs it a lock that
/// is nearly always free and no allocation; whoever watches swaps that store for an empty one.
public final class RunWatch: Sendable {
  /// What is kept until the next glance: more than 15 s of frames at 120 Hz.
  private static let room = 2048

  private let store: Locked<Store>
  private let watched = Locked<Watched?>(nil)
  private let additions = Locked<[Addition]>([])
  /// Those that nobody has counted yet among the responses to come.
  private let uncounted = Locked<[Addition]>([])
  private let hasAdditions = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)

  /// What the main thread leaves for others to look at.
  private struct Store {
    var glance: RunGlance
    /// The frame under way, and what the main thread is at in it.
    var current: (frame: OpenFrame, account: FrameAccount)?
  }

  fileprivate struct Watched {
    let app: LiveApp
    let mainThread: Int32
    let crowd: Crowd
    var responses: OpenResponses
  }

  /// Items that somebody adds. In a hang they count from when they were asked for, not from its end.
  fileprivate struct Addition {
    let count: Int
    let workload: WorkloadIndex
    let at: Int64
  }

  public init() { store = Locked(Store(glance: Self.withRoom(RunGlance()))) }

  // MARK: For whoever watches

  /// What there is to see now.
  ///
  /// Of processor times, which leave the calling thread's own out, only differences mean something.
  /// `spare` lends the arrays of an older glance to the store.
  public func glance(reusing spare: consuming RunGlance = RunGlance()) -> RunGlance {
    var glance = Self.withRoom(spare)
    let current = store.withLock { store in
      swap(&store.glance, &glance)
      store.glance.now = glance.now
      store.glance.itemsDelivered = glance.itemsDelivered
      store.glance.framesUnready = glance.framesUnready
      store.glance.isOver = glance.isOver
      return store.current
    }
    watched.withLock { watched in
      watched?.complete(&glance)
      watched?.count(uncounted, &glance)
      if let watched, let current, let now = glance.now {
        let use = watched.crowd.use(ofMain: watched.mainThread)
        glance.openFrame = current.account.record(
          of: current.frame, asOf: now, used: use, crowd: watched.crowd, watched.refresh)
      }
    }
    return glance
  }

  /// Lets `count` more items of `workload` arrive now.
  public func add(_ count: Int, of workload: WorkloadIndex) {
    let addition = Addition(count: count, workload: workload, at: clinux_monotonic())
    additions.withLock { $0.append(addition) }
    uncounted.withLock { $0.append(addition) }
    hasAdditions.store(true, ordering: .releasing)
  }

  /// Ends the run between two steps; what is not done by then is pending.
  public func stop() { stopping.store(true, ordering: .relaxed) }

  private static func withRoom(_ glance: consuming RunGlance) -> RunGlance {
    glance.frames.removeAll(keepingCapacity: true)
    glance.frames.reserveCapacity(room)
    glance.responses.removeAll(keepingCapacity: true)
    glance.responses.reserveCapacity(room)
    return glance
  }

  // MARK: For the frame loop

  var isStopping: Bool { stopping.load(ordering: .relaxed) }

  func began(_ app: LiveApp, crowd: Crowd) {
    watched.withLock {
      $0 = Watched(
        app: app, mainThread: clinux_thread_id(), crowd: crowd, responses: OpenResponses(app.plan))
    }
  }

  /// Notes what the main thread goes on to in the frame under way.
  func isAt(_ account: FrameAccount, of frame: OpenFrame, unready: Int = 1) {
    store.withLock {
      $0.current = (frame, account)
      $0.glance.framesUnready = unready
      $0.glance.now = account.since
    }
  }

  /// Notes that the main thread waits for a lock.
  func waits(since instant: Instant) {
    store.withLock { $0.current?.account.waits(since: instant) }
  }

  func delivered(_ count: Int) { store.withLock { $0.glance.itemsDelivered = count } }

  /// Notes that the main thread is through with the frame.
  func frameEnded() { store.withLock { $0.current = nil } }

  /// Notes what became of a frame. Nobody has looked for long if there is no room: then it is left out.
  func frameReady(_ frame: FrameRecord, unready: Int = 0) {
    store.withLock {
      $0.glance.framesUnready = unready
      if $0.glance.frames.count < Self.room { $0.glance.frames.append(frame) }
    }
  }

  func responded(_ response: Response) {
    store.withLock {
      if $0.glance.responses.count < Self.room { $0.glance.responses.append(response) }
    }
  }

  /// Notes the end of the run; a frame that it cut off stays open for ever.
  func ended(at instant: Instant) {
    store.withLock {
      $0.glance.now = instant
      $0.glance.isOver = true
    }
  }

  /// Puts what was added since the last call among the arrivals.
  func takeAdditions(into arrivals: inout ArrivalSchedule, clock: RunClock) {
    guard hasAdditions.exchange(false, ordering: .acquiring) else { return }
    let taken = additions.withLock { additions in
      defer { additions.removeAll() }
      return additions
    }
    for addition in taken {
      arrivals.add(addition.count, of: addition.workload, at: addition.instant(by: clock))
    }
  }
}

extension RunWatch.Addition {
  /// When it was asked for; before time 0, that.
  fileprivate func instant(by clock: RunClock) -> Instant {
    let late = clinux_monotonic() - clock.now.nanoseconds
    return max(.zero, Instant(nanoseconds: at - late))
  }
}

extension RunWatch.Watched {
  fileprivate var refresh: RefreshRate { app.plan.scenario.display.refresh }

  /// Adds what the main thread need not be asked for.
  fileprivate mutating func complete(_ glance: inout RunGlance) {
    if glance.now != nil && !glance.isOver { glance.now = app.clock.now }
    glance.itemsDone = app.itemsEnded
    glance.publishing = app.services.copyingTime
    glance.lanes = app.lanes.all.mapValues { $0.meter.use(by: app.clock) }
    glance.lanes[.main] = LaneUse()
    glance.deadlocks = app.lockWaits?.deadlocksByNow ?? []
    let main = TimeSpan(nanoseconds: clinux_cpu_of_thread(mainThread))
    let process = TimeSpan(nanoseconds: clinux_process_cpu())
    glance.mainCPU = main
    glance.backgroundCPU = max(.zero, process - main - .usedByThisThread)
  }

  /// Counts the responses that are overdue; before time 0 nobody knows when what was added arrives.
  fileprivate mutating func count(
    _ uncounted: Locked<[RunWatch.Addition]>, _ glance: inout RunGlance
  ) {
    guard let now = glance.now else { return }
    let added = uncounted.withLock { uncounted in
      defer { uncounted.removeAll() }
      return uncounted
    }
    for addition in added {
      responses.add(addition.count, of: addition.workload, at: addition.instant(by: app.clock))
    }
    for response in glance.responses { responses.answered(response) }
    glance.responsesOverdue = responses.overdue(at: now)
  }
}
