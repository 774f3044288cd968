import FrameBudget
import Testing

/// Which items start at the looks of the main thread, worked out by hand, in milliseconds.
@Suite struct NewestGateTests {
  private static func gate(_ rule: NewestRule, marked: Bool = true) -> NewestGate {
    var scenario = Scenario.with([.files()])
    scenario.workloads[0].admission = marked ? rule : nil
    let arrangement = Arrangement.onMain(scenario)
    return NewestGate(RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement)))
  }

  /// Receives items that arrive at `arrivals`, at looks at `looks`; returns the starts, and what was replaced.
  private static func play(
    _ gate: NewestGate, _ arrivals: [Int64], looks: [Int64]
  ) -> (starts: [[Int64]], replaced: [Int]) {
    var gate = gate
    var (next, starts, replaced) = (0, [[Int64]](), [Int]())
    for look in looks {
      let now = Instant.zero + .milliseconds(look)
      while next < arrivals.count, arrivals[next] <= look {
        let arrival = Instant.zero + .milliseconds(arrivals[next])
        let reception = gate.receive(0, next, arrivedAt: arrival, at: now)
        if reception.starts { starts.append([look, Int64(next)]) }
        if let number = reception.replaced { replaced.append(number) }
        next += 1
      }
      while let item = gate.release(at: now) { starts.append([look, Int64(item.number)]) }
    }
    return (starts, replaced)
  }

  @Test func `debounce starts an item when no newer one has come for its time`() {
    let gate = Self.gate(.debounce(.ms(300)))
    let (starts, replaced) = Self.play(
      gate, [0, 200, 499, 900, 1200], looks: [0, 200, 300, 499, 500, 798, 799, 900, 1200, 1500])
    #expect(starts == [[799, 2], [1500, 4]])
    #expect(replaced == [0, 1, 3])
  }

  @Test func `throttle starts the first item at once and the newest of the others in time`() {
    let gate = Self.gate(.throttle(.ms(100)))
    let (starts, replaced) = Self.play(
      gate, [0, 30, 60, 130, 250, 420], looks: [0, 30, 60, 100, 130, 200, 250, 300, 420])
    #expect(starts == [[0, 0], [100, 2], [200, 3], [300, 4], [420, 5]])
    #expect(replaced == [1])
  }

  @Test func `a look that comes late first receives everything`() {
    #expect(
      Self.play(Self.gate(.debounce(.ms(300))), [0, 500], looks: [900]).starts == [[900, 1]])
    let late = Self.play(Self.gate(.throttle(.ms(100))), [0, 150, 160], looks: [0, 500])
    #expect(late.starts == [[0, 0], [500, 1]])
    #expect(late.replaced == [])
  }

  @Test func `latest starts every item and ends all but the newest`() {
    var gate = Self.gate(.latest)
    for number in 0..<3 {
      #expect(gate.receive(0, number, arrivedAt: .zero, at: .zero).starts)
    }
    #expect((0..<3).map { gate.ends(0, $0) } == [true, true, false])
    #expect(gate.upcoming == nil && gate.isUsed && gate.endsItems)
  }

  @Test func `without the key every item must be done, whatever the arrangement says`() {
    #expect(!Self.gate(.latest, marked: false).isUsed)
    var scenario = Scenario.with([.files(), .files(name: "typed")])
    scenario.workloads[1].admission = .all
    var arrangement = Arrangement.onMain(scenario)
    arrangement.newest = .latest
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: arrangement))
    #expect(plan.workloads.map(\.newest) == [.all, .latest])
  }
}
