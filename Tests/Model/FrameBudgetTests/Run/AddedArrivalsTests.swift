import FrameBudget
import Testing

@Suite struct `Items added during a run` {
  private func schedule(_ arrival: Arrival) -> ArrivalSchedule {
    ArrivalSchedule(Scenario.with([.files(arrival)]).onMain())
  }

  private func rest(_ schedule: inout ArrivalSchedule) -> [ArrivalSchedule.Item] {
    var items: [ArrivalSchedule.Item] = []
    while let item = schedule.next(atOrBefore: .ms(10_000)) { items.append(item) }
    return items
  }

  @Test func `arrive between scheduled items and do not shift them`() {
    for arrival: Arrival in [
      .batch(2, every: .seconds(2), start: .seconds(1)), .rate(perSecond: 5, start: .zero),
      .at([.seconds(1), .seconds(3), .seconds(3)]), .once(4, start: .seconds(2)),
    ] {
      var plain = schedule(arrival)
      let scheduled = rest(&plain).map(\.instant)
      var schedule = schedule(arrival)
      schedule.add(3, of: 0, at: .ms(2500))
      let items = rest(&schedule)
      #expect(items.map(\.number) == Array(0..<(scheduled.count + 3)))
      #expect(items.map(\.instant) == (scheduled + Array(repeating: .ms(2500), count: 3)).sorted())
    }
  }

  @Test func `can arrive after the last scheduled item`() {
    var schedule = schedule(.once(1, start: .zero))
    #expect(rest(&schedule).count == 1)
    schedule.add(2, of: 0, at: .ms(4000))
    schedule.add(0, of: 0, at: .ms(4500))
    schedule.add(1, of: 0, at: .ms(5000))
    #expect(rest(&schedule).map(\.instant) == [.ms(4000), .ms(4000), .ms(5000)])
    #expect(schedule.next(atOrBefore: .ms(99_000)) == nil)
  }
}
