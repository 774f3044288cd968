import FrameBudget
import Testing

/// When waits begin and end, with a limited resource and without.
@Suite struct SuspensionsTests {
  private static func waits(places: Int = 1) -> Suspensions<Int> {
    var scenario = Scenario.with([.files()])
    scenario.resources = [Resource(name: "disk", parallel: places)]
    let strategy = Strategy(name: "main", arrangement: .onMain(scenario))
    return Suspensions(RunPlan(scenario, under: strategy))
  }

  private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  /// Ends all waits, each when it is over: the items with their ends in milliseconds.
  private static func ends(_ waits: inout Suspensions<Int>) -> [[Int64]] {
    var ends: [[Int64]] = []
    while let end = waits.nextEnd {
      while let item = waits.popEnded(by: end) {
        ends.append([Int64(item.item), end.nanoseconds / 1_000_000])
      }
    }
    return ends
  }

  @Test func `waits end by time, and at the same instant in the order of their begin`() {
    var waits = Self.waits()
    let spans: [Int64] = [30, 10, 20, 10, 10, 5]
    for (item, span) in spans.enumerated() {
      waits.begin(item, for: .milliseconds(span), on: nil, at: Self.at(0))
    }
    #expect(waits.popEnded(by: Self.at(4))?.item == nil)
    #expect(Self.ends(&waits) == [[5, 5], [1, 10], [3, 10], [4, 10], [2, 20], [0, 30]])
  }

  @Test func `items that wait, and those that wait for a place, are suspended`() {
    var waits = Self.waits(places: 1)
    for item in 0..<3 { waits.begin(item, for: .milliseconds(10), on: 0, at: Self.at(0)) }
    waits.begin(3, for: .milliseconds(5), on: nil, at: Self.at(0))
    _ = waits.popEnded(by: Self.at(5))
    var suspended: [Int] = []
    waits.forEach { suspended.append($0) }
    #expect(suspended == [0, 1, 2])
  }

  @Test func `a resource serves the items in the order in which they came`() {
    var waits = Self.waits(places: 2)
    let spans: [Int64] = [30, 10, 50, 5, 5]
    for (item, span) in spans.enumerated() {
      waits.begin(item, for: .milliseconds(span), on: 0, at: Self.at(0))
    }
    waits.begin(9, for: .milliseconds(1), on: nil, at: Self.at(0))
    // 0 and 1 at once, 2 from 10 on, 3 from 30, 4 from 35.
    #expect(Self.ends(&waits) == [[9, 1], [1, 10], [0, 30], [3, 35], [4, 40], [2, 60]])
  }

  @Test func `a place is taken again from when its wait was ended, not from when it was over`() {
    var waits = Self.waits()
    for item in 0..<2 { waits.begin(item, for: .milliseconds(10), on: 0, at: Self.at(0)) }
    let first = waits.popEnded(by: Self.at(12))?.item
    #expect(first == 0 && waits.nextEnd == Self.at(22))
  }

  @Test func `at the end of a run, all that wait are left`() {
    var waits = Self.waits()
    for item in 0..<3 { waits.begin(item, for: .milliseconds(10), on: 0, at: Self.at(0)) }
    let left = waits.removeAll().map(\.item)
    #expect(left.sorted() == [0, 1, 2] && waits.nextEnd == nil)
  }

  @Test func `random waits end as in a list that is searched for each`() {
    for seed in UInt64(0)..<200 {
      var stream = RandomStream(seed: seed, name: "suspensions")
      let places = Int.random(in: 1...3, using: &stream)
      var (waits, list) = (Self.waits(places: places), SlowWaits(places: places))
      var now: Int64 = 0
      for item in 0..<Int.random(in: 1...40, using: &stream) {
        now += Int64.random(in: 0...5, using: &stream)
        let (span, isLimited) = (
          Int64.random(in: 0...20, using: &stream), Int.random(in: 0..<5, using: &stream) < 3
        )
        let ended = waits.ended(by: Self.at(now))
        #expect(ended == list.ended(by: now), "seed \(seed)")
        waits.begin(item, for: .milliseconds(span), on: isLimited ? 0 : nil, at: Self.at(now))
        list.begin(item, span, isLimited, at: now)
      }
      for _ in 0..<1000 {
        now += 1
        #expect(waits.ended(by: Self.at(now)) == list.ended(by: now), "seed \(seed)")
      }
      #expect(waits.nextEnd == nil)
    }
  }
}

extension Suspensions {
  fileprivate mutating func ended(by instant: Instant) -> [Item] {
    var ended: [Item] = []
    while let next = popEnded(by: instant) { ended.append(next.item) }
    return ended
  }
}

/// The same in the simplest way there is.
private struct SlowWaits {
  let places: Int
  var waits: [(item: Int, end: Int64, isLimited: Bool)] = []
  var line: [(item: Int, span: Int64)] = []

  init(places: Int) { self.places = places }

  mutating func begin(_ item: Int, _ span: Int64, _ isLimited: Bool, at now: Int64) {
    if isLimited, waits.count(where: \.isLimited) == places { return line.append((item, span)) }
    waits.append((item, now + span, isLimited))
  }

  mutating func ended(by now: Int64) -> [Int] {
    var ended: [Int] = []
    while let end = waits.map(\.end).min(), end <= now {
      guard let place = waits.firstIndex(where: { $0.end == end }) else { break }
      let wait = waits.remove(at: place)
      ended.append(wait.item)
      if wait.isLimited, !line.isEmpty {
        let next = line.removeFirst()
        begin(next.item, next.span, true, at: now)
      }
    }
    return ended
  }
}
