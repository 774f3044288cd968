internal import CLinux
public import FrameBudget
internal import SchedulableObjects
internal import Synchronization

/// A window into a real run: what another thread may see of it, and tell it, while it is under way.
///
/// The main thread leaves a copy of each frame's record in a store of fixed size, which costs it a lock that
/// is nearly always free and no allocation; whoever watches swaps that store for an empty one.
public final class RunWatch: Sendable {
  /// What is kept until the next glance: more than 15 s of frames at 120 Hz.
  private static let room = 2048

  private let store: Locked<RunGlance>
  private let watched = Locked<Watched?>(nil)
  private let additions = Locked<[Addition]>([])
  private let hasAdditions = Atomic<Bool>(false)
  private let stopping = Atomic<Bool>(false)

  private struct Watched {
    let app: LiveApp
    let mainThread: Int32
  }

  /// Items that somebody adds. In a hang they count from when they were asked for, not from its end.
  private struct Addition {
    let count: Int
    let workload: WorkloadIndex
    let at: Int64
  }

  public init() { store = Locked(Self.withRoom(RunGlance())) }

  // MARK: For whoever watches

  /// What there is to see now.
  ///
  /// Of processor times, which leave the calling thread's own out, only differences mean something.
  /// `spare` lends the arrays of an older glance to the store.
  public func glance(reusing spare: consuming RunGlance = RunGlance()) -> RunGlance {
    var glance = Self.withRoom(spare)
    store.withLock { store in
      swap(&store, &glance)
      store.now = glance.now
      store.openFrame = glance.openFrame
      store.itemsDelivered = glance.itemsDelivered
      store.isOver = glance.isOver
    }
    guard let watched = watched.withLock({ $0 }) else { return glance }
    if glance.now != nil && !glance.isOver { glance.now = watched.app.clock.now }
    glance.itemsDone = watched.app.itemsEnded
    glance.lanes = watched.app.lanes.map(\.use)
    let main = TimeSpan(nanoseconds: clinux_cpu_of_thread(watched.mainThread))
    let process = TimeSpan(nanoseconds: clinux_process_cpu())
    glance.mainCPU = main
    glance.backgroundCPU = max(.zero, process - main - .usedByThisThread)
    return glance
  }

  /// Lets `count` more items of `workload` arrive now.
  public func add(_ count: Int, of workload: WorkloadIndex) {
    let addition = Addition(count: count, workload: workload, at: clinux_monotonic())
    additions.withLock { $0.append(addition) }
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

  func began(_ app: LiveApp) {
    watched.withLock { $0 = Watched(app: app, mainThread: clinux_thread_id()) }
  }

  func frameBegan(_ vsync: Int, at instant: Instant) {
    store.withLock {
      $0.now = instant
      $0.openFrame = vsync
    }
  }

  func delivered(_ count: Int) { store.withLock { $0.itemsDelivered = count } }

  /// Notes what became of the frame. Nobody has looked for long if there is no room: then it is left out.
  func frameEnded(_ frame: FrameRecord?) {
    store.withLock {
      $0.openFrame = nil
      if let frame, $0.frames.count < Self.room { $0.frames.append(frame) }
    }
  }

  func responded(_ response: Response) {
    store.withLock { if $0.responses.count < Self.room { $0.responses.append(response) } }
  }

  /// Notes the end of the run; a frame that it cut off stays open for ever.
  func ended(at instant: Instant) {
    store.withLock {
      $0.now = instant
      $0.isOver = true
    }
  }

  /// Puts what was added since the last call among the arrivals.
  func takeAdditions(into arrivals: inout ArrivalSchedule, clock: RunClock) {
    guard hasAdditions.exchange(false, ordering: .acquiring) else { return }
    let late = clinux_monotonic() - clock.now.nanoseconds
    let taken = additions.withLock { additions in
      defer { additions.removeAll() }
      return additions
    }
    for addition in taken {
      let at = max(.zero, Instant(nanoseconds: addition.at - late))
      arrivals.add(addition.count, of: addition.workload, at: at)
    }
  }
}
