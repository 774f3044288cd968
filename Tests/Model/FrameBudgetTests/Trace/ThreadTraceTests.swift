import CFrameBudgetLinux
import FrameBudget
import Testing

/// The bytes that recording spans allocates and keeps, in a trace with room for them.
private func growth(recording count: Int, room: Int) -> Int64 {
  var trace = ThreadTrace(room: room)
  let before = clinux_allocated_bytes()
  for number in 0..<count {
    let begin = Instant(nanoseconds: Int64(number))
    trace.append(.lockWait(LockIndex(number & 7)), from: begin, to: begin + .nanoseconds(1))
  }
  let growth = clinux_allocated_bytes() - before
  precondition(trace.spans.count == min(count, room) && trace.lost == max(0, count - room))
  return growth
}

struct ThreadTraceTests {
  private func spans(_ count: Int, in trace: inout ThreadTrace) {
    for number in 0..<count {
      let begin = Instant(nanoseconds: Int64(number))
      trace.append(.phase(.logic), from: begin, to: begin + .nanoseconds(1))
    }
  }

  @Test func `spans beyond the capacity are counted, and earlier ones are kept`() {
    var trace = ThreadTrace(room: 3)
    spans(5, in: &trace)
    #expect(trace.spans.map(\.begin.nanoseconds) == [0, 1, 2])
    #expect(trace.lost == 2)
  }

  @Test func `a disabled trace keeps nothing and counts no losses`() {
    var trace = ThreadTrace.off
    spans(5, in: &trace)
    #expect(trace.spans.isEmpty && trace.lost == 0 && !trace.isOn)
  }

  @Test func `clearing frees the capacity`() {
    var trace = ThreadTrace(room: 3)
    spans(5, in: &trace)
    trace.clear()
    spans(3, in: &trace)
    #expect(trace.spans.count == 3 && trace.lost == 0)
  }

  /// In a process of its own: concurrent allocations of other tests would count as well.
  @Test func `recording a span allocates nothing, even beyond the capacity`() async {
    await #expect(processExitsWith: .success) {
      // Not every time: Swift sets up a type at its first use, and threads of the runtime allocate.
      for room in [20_000, 100] {
        precondition((0..<20).contains { _ in growth(recording: 20_000, room: room) == 0 })
      }
    }
  }

  @Test func `the capacity covers all spans of the plan's items, up to a limit`() {
    let few = TraceLog.room(for: Self.plan(items: 10))
    let many = TraceLog.room(for: Self.plan(items: 1000))
    // A step and a result of each more item, five spans each.
    #expect(many - few == 990 * 2 * 5)
    #expect(TraceLog.room(for: Self.plan(items: 1 << 30)) == TraceLog.maxSpans)
    #expect(TraceLog.room(for: Self.plan(items: 1 << 30, lanes: 3)) == TraceLog.maxSpans / 4)
  }

  @Test func `the capacity covers each run of a step, of slices as many as an item has`() {
    let once = TraceLog.room(for: Self.plan(items: 10))
    // 599 more runs of each of ten items.
    let repeated = TraceLog.room(for: Self.plan(items: 10) { $0.repeats = 600 })
    #expect(repeated - once == 10 * 599 * 5)
    // 1 ms in slices of 0.1 ms.
    let sliced = TraceLog.room(
      for: Self.plan(items: 10, yielding: true) { $0.slice = .microseconds(100) })
    #expect(sliced - once == 10 * 9 * 5)
    let many = Self.plan(items: 1 << 20, yielding: true) { $0.slice = .nanoseconds(1) }
    #expect(TraceLog.room(for: many) == TraceLog.maxSpans)
  }

  @Test func `threads are named after their lane, and numbered if it has several`() {
    var arrangement = Self.plan(items: 1).arrangement
    arrangement.lanes.append(Lane(name: "files", carrier: .scheduler))
    arrangement.lanes.append(Lane(name: "pool", carrier: .dispatch, width: 2))
    #expect(arrangement.threads.map(\.name) == ["main", "files", "pool 1", "pool 2"])
    #expect(arrangement.threads.map(\.lane) == [0, 1, 2, 2])
  }

  private static func plan(
    items: Int, lanes: Int = 0, yielding: Bool = false, _ change: (inout Step) -> Void = { _ in }
  ) -> RunPlan {
    var step = Step(name: "step", service: 0, load: .cpu(.constant(.milliseconds(1))))
    change(&step)
    let scenario = Scenario(
      name: "room", display: Display(refresh: RefreshRate(60)), duration: .seconds(1),
      services: [Service(name: "service")],
      workloads: [Workload(name: "file", arrival: .once(items, start: .zero), steps: [step])])
    var arrangement = Arrangement.onMain(scenario)
    if yielding { arrangement.yielding = Yielding(.step) }
    for lane in 0..<lanes { arrangement.lanes.append(Lane(name: "\(lane)", carrier: .scheduler)) }
    return RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
  }
}
