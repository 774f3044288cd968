import FrameBudget
import Testing

@Suite struct ArrivalScheduleTests {
  private func arrivals(
    _ workloads: [Workload], through end: Instant = .ms(10_000), limit: Int = 100_000
  ) -> [ArrivalSchedule.Item] {
    var schedule = ArrivalSchedule(Scenario.with(workloads).onMain())
    var items: [ArrivalSchedule.Item] = []
    while items.count < limit, let item = schedule.next(atOrBefore: end) { items.append(item) }
    return items
  }

  private func milliseconds(_ arrival: Arrival, through end: Instant = .ms(10_000)) -> [Double] {
    arrivals([.files(arrival)], through: end).map(\.instant.sinceZero.inMilliseconds)
  }

  @Test func `once means all at one instant`() {
    #expect(milliseconds(.once(3, start: .seconds(1))) == [1000, 1000, 1000])
    #expect(milliseconds(.once(0, start: .zero)) == [])
  }

  @Test func `batches repeat up to the end, exclusively`() {
    let batches = Arrival.batch(2, every: .seconds(4), start: .seconds(2))
    #expect(milliseconds(batches) == [2000, 2000, 6000, 6000])
    #expect(milliseconds(batches, through: .ms(9999)) == [2000, 2000, 6000, 6000])
    #expect(milliseconds(.batch(0, every: .seconds(1), start: .zero)) == [])
  }

  @Test func `listed instants are sorted by time`() {
    #expect(milliseconds(.at([.seconds(2), .zero, .seconds(1)])) == [0, 1000, 2000])
    #expect(milliseconds(.at([.seconds(20), .seconds(1)])) == [1000])
    #expect(milliseconds(.at([])) == [])
  }

  @Test
  func `recorded instants are kept, or all shifted by the same part of a period`() {
    let recorded = Arrival.recorded([.seconds(2), .zero, .seconds(1)])
    #expect(milliseconds(recorded) == [0, 1000, 2000])
    var shifts: Set<Double> = []
    for seed in UInt64(1)...20 {
      var scenario = Scenario.with([.files(recorded), .files(.at([.seconds(1)]), name: "listed")])
      scenario.phase = .random
      scenario.seed = seed
      let plan = scenario.onMain()
      var schedule = ArrivalSchedule(plan)
      var instants: [[Double]] = [[], []]
      while let item = schedule.next(atOrBefore: .ms(10_000)) {
        instants[item.workload.position].append(item.instant.sinceZero.inMilliseconds)
      }
      let shift = plan.arrivalShift.inMilliseconds
      #expect((0..<16.667).contains(shift))
      #expect(instants == [[shift, 1000 + shift, 2000 + shift], [1000]])
      shifts.insert(shift)
    }
    #expect(shifts.count == 20)
  }

  @Test func `a Poisson process has exponential gaps at its rate`() {
    let instants = milliseconds(.rate(perSecond: 2000, start: .seconds(1)))
    #expect(abs(Double(instants.count) - 18_000) < 5 * 134.2, "five standard deviations")
    #expect(instants.first ?? 0 > 1000)
    let gaps = zip(instants.dropFirst(), instants).map { $0 - $1 }
    #expect(gaps.count { $0 < 0 } == 0)
    let long = Double(gaps.count { $0 > 1 }) / Double(gaps.count)
    #expect(abs(long - 0.1353) < 0.013, "P(gap > 2 means) = e^-2")
  }

  @Test func `items are numbered by workload in the order of arrival`() {
    let items = arrivals([
      .files(.batch(3, every: .ms(7), start: .zero), name: "a"),
      .files(.rate(perSecond: 300, start: .zero), name: "b"),
      .files(.at([.ms(30), .ms(7), .ms(7)]), name: "c"),
    ])
    #expect(zip(items, items.dropFirst()).allSatisfy { $0.instant <= $1.instant })
    for workload: WorkloadIndex in 0..<3 {
      let numbers = items.filter { $0.workload == workload }.map(\.number)
      #expect(numbers == Array(0..<numbers.count))
    }
  }

  @Test func `at one instant the scenario's order decides`() {
    let items = arrivals(
      [
        .files(.batch(2, every: .seconds(1), start: .seconds(1)), name: "a"),
        .files(.at([.seconds(1), .seconds(2)]), name: "b"),
        .files(.once(1, start: .seconds(1)), name: "c"),
      ], through: .ms(2000))
    #expect(items.map(\.workload) == [0, 0, 1, 2, 0, 0, 1])
    #expect(items.map(\.number) == [0, 1, 0, 0, 2, 3, 1])
  }

  @Test func `nothing arrives before its start`() {
    var schedule = ArrivalSchedule(Scenario.with([.files(.once(1, start: .ms(5)))]).onMain())
    #expect(schedule.next(atOrBefore: .ms(4.999999)) == nil)
    #expect(schedule.next(atOrBefore: .ms(5))?.instant == .ms(5))
    #expect(schedule.next(atOrBefore: .ms(1e6)) == nil)
  }

  @Test(
    arguments: [
      .once(7, start: .zero), .once(7, start: .seconds(10)), .once(7, start: .seconds(11)),
      .batch(3, every: .seconds(3), start: .seconds(1)),
      .batch(3, every: .seconds(9), start: .ms(1)),
      .batch(2, every: .seconds(5), start: .zero),
      .batch(5, every: .seconds(1), start: .seconds(10)),
      .rate(perSecond: 37, start: .seconds(2)), .rate(perSecond: 0.001, start: .zero),
      .at([.seconds(20), .seconds(1), .seconds(10), .zero]), .at([]),
    ] as [Arrival])
  func `the count is what arrives before the end`(arrival: Arrival) {
    let count = ArrivalSchedule.count(
      of: .files(arrival), before: .ms(10_000), seed: 1, limit: 1000)
    #expect(count == arrivals([.files(arrival)], through: .ms(10_000) - .nanoseconds(1)).count)
  }

  /// Counting a billion one by one would take minutes; at a limit of 1000 it must not take that long.
  @Test(
    arguments: [
      .once(1_000_000_000, start: .zero), .batch(Int.max, every: .nanoseconds(1), start: .zero),
      .batch(1, every: .nanoseconds(1), start: .zero), .rate(perSecond: 1e6, start: .zero),
      .at(Array(repeating: .zero, count: 1001)),
    ] as [Arrival])
  func `the count stops at its limit`(arrival: Arrival) {
    let day = Instant.zero + .seconds(86_400)
    #expect(
      ArrivalSchedule.count(of: .files(arrival), before: day, seed: 1, limit: 1000) == 1000)
  }
}
