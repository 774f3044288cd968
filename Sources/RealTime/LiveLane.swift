internal import Concurrency
internal import FrameBudget
internal import Synchronization

/// A lane of a run: its carrier, and how much is under way on it.
final class LiveLane: Sendable {
  let lane: Lane
  /// Services that live here and that the UI reads snapshots of.
  let residents: [ServiceIndex]
  /// Set once, before anything is posted; stays nil for the main thread, whose carrier is the frame loop.
  private let carrier = Locked<(any Carrier)?>(nil)
  private let outstanding = Atomic<Int>(0)
  let meter = LaneMeter()
  /// One for each thread that can be on the lane at once; none without a trace.
  private let slots: [TraceSlot]
  private let untraced = Atomic<Int>(0)

  init(_ index: LaneIndex, of plan: RunPlan, tracing room: Int = 0) {
    lane = plan.arrangement.lanes[index]
    let width = index == .main || room == 0 ? 0 : lane.width
    slots = (0..<width).map { _ in TraceSlot(room: room) }
    residents = plan.publishedServices(on: index)
  }

  func start(on carrier: any Carrier) { self.carrier.withLock { $0 = carrier } }

  /// Does what its carrier does when the app starts.
  func launch() { carrier.withLock { $0 }?.launch() }

  func setNice(_ nice: Int) throws(CarrierError) {
    try carrier.withLock { $0 }?.setNice(nice)
  }

  /// Posts an event of the workload `source`.
  func post(hasPriority: Bool, source: WorkloadIndex, _ event: sending @escaping () -> Void) {
    outstanding.add(1, ordering: .relaxed)
    carrier.withLock { $0 }?.post(event, hasPriority: hasPriority, source: source)
  }

  /// Posts an event that belongs to no workload.
  func post(_ event: sending @escaping () -> Void) {
    carrier.withLock { $0 }?.post(event, hasPriority: false)
  }

  /// Posts events of which each starts once the one before is through.
  func post(chain: [@Sendable () -> Void]) {
    outstanding.add(chain.count, ordering: .relaxed)
    carrier.withLock { $0 }?.post(chain: chain)
  }

  /// Notes the end of an event and says whether it was the last one that is known of.
  func eventEnded() -> Bool {
    outstanding.subtract(1, ordering: .relaxed).newValue == 0
  }

  /// Runs an event of the lane with the trace of a thread that is on no other event meanwhile.
  func traced(_ event: (inout ThreadTrace) -> Void) {
    for slot in slots where slot.run(event) { return }
    // More threads at once than the lane has: what this one does is missing from the trace.
    if !slots.isEmpty { untraced.add(1, ordering: .relaxed) }
    var trace = ThreadTrace.off
    event(&trace)
  }

  /// What its threads did; once the lane has stopped.
  var traces: [ThreadTrace] {
    var traces = slots.map(\.trace)
    if !traces.isEmpty { traces[0].miss(untraced.load(ordering: .relaxed)) }
    return traces
  }

  var isStarted: Bool { carrier.withLock { $0 != nil } }

  /// What was posted and will never run, as a sentence.
  var loss: String? { carrier.withLock { $0 }?.loss }

  /// Ends the lane, once everything that was posted has run; returns its loss.
  func stop() -> String? {
    let carrier = carrier.withLock { $0.take() }
    carrier?.stop()
    return carrier?.loss
  }
}
