internal import SchedulableThreads
internal import Dispatch
internal import FrameBudget
internal import Synchronization

/// The lanes of a run: started together and stopped so that no thread remains.
final class LiveLanes: Sendable {
  /// In the order of the arrangement; the first one is main.
  let all: PerLane<LiveLane>
  private let clock: RunClock
  private let stopping = Atomic<Bool>(false)
  /// Running events, including their posts to other lanes.
  private let inside = Atomic<Int>(0)
  private let threads = Locked<[ThreadLog]>([])
  private let losses = Locked<[String]>([])
  private let refusals = Locked<[String]>([])

  /// `room` is the number of trace spans kept for each thread.
  init(_ plan: RunPlan, clock: RunClock, tracing room: Int) {
    all = PerLane(
      plan.arrangement.lanes.indices.map { LiveLane($0, of: plan, tracing: room) })
    self.clock = clock
  }

  /// Starts every lane except main. If one fails, stops the others.
  func start(_ carriers: CarrierFactory) throws(CarrierError) {
    for lane in all.dropFirst() {
      do {
        lane.start(on: try carriers(lane.lane))
      } catch {
        stop()
        throw error
      }
    }
  }

  func event(on lane: LaneIndex, _ body: (inout ThreadTrace) -> Void) {
    inside.add(1, ordering: .sequentiallyConsistent)
    defer { inside.subtract(1, ordering: .sequentiallyConsistent) }
    all[lane].traced(body)
  }

  /// Changes a lane's nice value. Returns false if the system refuses.
  func renice(_ change: ReniceSchedule.Change) -> Bool {
    do {
      try all[change.lane].setNice(change.nice)
      return true
    } catch {
      refusals.withLock { $0.append("\(error)") }
      return false
    }
  }

  // MARK: The end

  var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

  /// Lets every lane finish its current step, hand back all other items, and join.
  ///
  /// Events that begin after `stopping` was set post nothing. Lanes can stop one after another once the events before that have
  /// ended.
  func stop() {
    stopping.store(true, ordering: .sequentiallyConsistent)
    let started = all.filter(\.isStarted)
    let running = started.filter { $0.loss == nil }
    let reached = DispatchSemaphore(value: 0)
    for lane in running {
      lane.post {
        self.noteThread(lane.lane.name)
        reached.signal()
      }
    }
    // A carrier that loses this event must not hang the run; the item counts show the loss.
    for _ in running { _ = reached.wait(timeout: .now() + .seconds(10)) }
    while inside.load(ordering: .sequentiallyConsistent) > 0 {
      clock.sleep(for: .microseconds(100))
    }
    let losses = started.compactMap { $0.stop() }
    self.losses.withLock { $0 += losses }
  }

  private func noteThread(_ name: String) {
    let log = ThreadLog.current(name)
    threads.withLock { $0.append(log) }
  }

  /// The traces of all lanes except main, after they stopped.
  var traces: [ThreadTrace] { all.dropFirst().flatMap(\.traces) }

  func count(in totals: inout RunTotals) {
    totals.threads = threads.withLock { $0 }
    totals.refusals = refusals.withLock { $0 }
    totals.losses = losses.withLock { $0 }
  }
}

/// Starts a lane. Tests use faulty ones.
typealias CarrierFactory = @Sendable (Lane) throws(CarrierError) -> any Carrier

/// A lane of a run: its carrier and the number of outstanding events.
final class LiveLane: Sendable {
  let lane: Lane
  /// Services on this lane whose snapshots the UI reads.
  let residents: [ServiceIndex]
  /// Set once, before the first post. Nil for the main thread, whose carrier is the frame loop.
  private let carrier = Locked<(any Carrier)?>(nil)
  private let outstanding = Atomic<Int>(0)
  let meter = LaneMeter()
  /// One per thread of the lane; none without a trace.
  private let slots: [TraceSlot]
  private let untraced = Atomic<Int>(0)

  init(_ index: LaneIndex, of plan: RunPlan, tracing room: Int = 0) {
    lane = plan.arrangement.lanes[index]
    let width = index == .main || room == 0 ? 0 : lane.width
    slots = (0..<width).map { _ in TraceSlot(room: room) }
    residents = plan.publishedServices(on: index)
  }

  func start(on carrier: any Carrier) { self.carrier.withLock { $0 = carrier } }

  func launch() { carrier.withLock { $0 }?.launch() }

  func setNice(_ nice: Int) throws(CarrierError) {
    try carrier.withLock { $0 }?.setNice(nice)
  }

  func post(hasPriority: Bool, source: WorkloadIndex, _ event: sending @escaping () -> Void) {
    outstanding.add(1, ordering: .relaxed)
    carrier.withLock { $0 }?.post(event, hasPriority: hasPriority, source: source)
  }

  /// Posts an event of no workload.
  func post(_ event: sending @escaping () -> Void) {
    carrier.withLock { $0 }?.post(event, hasPriority: false)
  }

  /// Posts events, each of which starts after the one before has ended.
  func post(chain: [@Sendable () -> Void]) {
    outstanding.add(chain.count, ordering: .relaxed)
    carrier.withLock { $0 }?.post(chain: chain)
  }

  /// Counts the end of an event. Returns whether it was the last outstanding one.
  func eventEnded() -> Bool {
    outstanding.subtract(1, ordering: .relaxed).newValue == 0
  }

  /// Runs an event with a trace slot that no other event uses.
  func traced(_ event: (inout ThreadTrace) -> Void) {
    for slot in slots where slot.run(event) { return }
    // More threads at once than the lane has: this one is missing from the trace.
    if !slots.isEmpty { untraced.add(1, ordering: .relaxed) }
    var trace = ThreadTrace.off
    event(&trace)
  }

  /// The traces of its threads, after the lane stopped.
  var traces: [ThreadTrace] {
    var traces = slots.map(\.trace)
    if !traces.isEmpty { traces[0].noteLost(untraced.load(ordering: .relaxed)) }
    return traces
  }

  var isStarted: Bool { carrier.withLock { $0 != nil } }

  /// The events that will never run, as a sentence.
  var loss: String? { carrier.withLock { $0 }?.loss }

  /// Stops the lane after all posted events; returns its loss.
  func stop() -> String? {
    let carrier = carrier.withLock { $0.take() }
    carrier?.stop()
    return carrier?.loss
  }
}

/// Measures the use of a lane's threads, including unfinished steps and waits, for the watcher.
struct LaneMeter: ~Copyable {
  private let use = Locked(Use())

  private struct Use {
    var busy = SpanTotal()
    var waiting = SpanTotal()
    /// The last reported use. It never decreases, although a step may have been reported until after its end.
    var reported = LaneUse()
  }

  borrowing func stepBegan(at instant: Instant) { use.withLock { $0.busy.begin(instant) } }
  borrowing func stepEnded(at instant: Instant) { use.withLock { $0.busy.end(instant) } }

  /// A thread within a step waits for a lock.
  borrowing func waitBegan(at instant: Instant) {
    use.withLock {
      $0.busy.end(instant)
      $0.waiting.begin(instant)
    }
  }

  borrowing func waitEnded(at instant: Instant) {
    use.withLock {
      $0.waiting.end(instant)
      $0.busy.begin(instant)
    }
  }

  /// The use so far.
  borrowing func use(by clock: RunClock) -> LaneUse {
    use.withLock { use in
      let now = clock.now
      use.reported.busy = max(use.reported.busy, use.busy.sum(at: now))
      use.reported.waiting = max(use.reported.waiting, use.waiting.sum(at: now))
      return use.reported
    }
  }
}

/// The total length of spans, including open ones.
private struct SpanTotal {
  private var nanoseconds: Int64 = 0
  private var open: Int64 = 0

  mutating func begin(_ instant: Instant) {
    nanoseconds -= instant.nanoseconds
    open += 1
  }

  mutating func end(_ instant: Instant) {
    nanoseconds += instant.nanoseconds
    open -= 1
  }

  func sum(at now: Instant) -> TimeSpan {
    TimeSpan(nanoseconds: nanoseconds + open * now.nanoseconds)
  }
}

/// The trace of one slot of a lane.
///
/// An event claims a free slot as a whole and locks nothing per span. Slots belong to lanes, not to system threads, because a
/// dispatch queue changes threads between events.
final class TraceSlot: Sendable {
  private let store: Locked<ThreadTrace>

  init(room: Int) { store = Locked(ThreadTrace(room: room)) }

  /// Runs `event` if the slot is free; returns whether it did.
  func run(_ event: (inout ThreadTrace) -> Void) -> Bool {
    store.withLockIfAvailable { event(&$0) } != nil
  }

  var trace: ThreadTrace { store.withLock { $0 } }
}
