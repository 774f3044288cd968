import FrameBudget
import Testing

@testable import FrameBudgetReports

/// A second, plain implementation of the rule, compared on random results.
struct `The rule of a verdict` {
  @Test(arguments: 0..<400)
  func `is what its plain restatement says`(_ trial: Int) throws {
    let strategies = Self.random(trial)
    let verdict = try #require(Verdict.all(strategies.flatMap(\.self)).first)
    let medians = strategies.map(Self.median)
    let first = medians[0].status == .complete ? medians[0].left : 0
    var smooth: [OutcomeRow] = []
    var cheapest: OutcomeRow?
    for row in medians where Self.isSmooth(row, first) {
      smooth.append(row)
      if let best = cheapest, Self.price(row) >= Self.price(best) { continue }
      cheapest = row
    }
    #expect(verdict.today.label == medians[0].label)
    #expect(verdict.strategies.map(\.label) == medians.map(\.label))
    #expect(Set(verdict.smooth.map(\.label)) == Set(smooth.map(\.label)))
    #expect(verdict.cheapest?.label == cheapest?.label)
    #expect(
      verdict.strategies.map(\.smoothRuns)
        == strategies.map { runs in Self.counted(runs).count { Self.isSmooth($0, first) } })
    try checkRunnerUp(verdict, smooth, cheapest)
    checkHarm(verdict, medians, first)
  }

  private func checkRunnerUp(
    _ verdict: Verdict, _ smooth: [OutcomeRow], _ cheapest: OutcomeRow?
  ) throws {
    var expected: OutcomeRow?
    for row in smooth {
      guard let cheapest, let kind = Self.kind(row), let other = Self.kind(cheapest), kind != other
      else { continue }
      if let best = expected, Self.price(row) >= Self.price(best) { continue }
      expected = row
    }
    #expect(verdict.runnerUp?.label == expected?.label)
  }

  private func checkHarm(_ verdict: Verdict, _ medians: [OutcomeRow], _ first: Int) {
    let complete = medians.filter { $0.status == .complete }
    let harms = complete.map { Self.harm($0, first) }
    guard medians.count > 1, let least = harms.min(), let most = harms.max() else {
      #expect(verdict.nearest == nil && verdict.worst == nil)
      return
    }
    #expect((verdict.nearest == nil) == (least == 0))
    if least > 0 { #expect(verdict.nearest?.distanceFromSmooth == least) }
    let isTie = harms.count { $0 == most } > 1
    if complete.count > 1 || least == 0 {
      #expect((verdict.worst == nil) == (most == 0 || isTie))
    }
    if let worst = verdict.worst { #expect(worst.distanceFromSmooth == most) }
  }

  // MARK: The plain implementation

  private static func excused(_ row: OutcomeRow) -> Int {
    guard row.engine == .real else { return 0 }
    let wakeups = row.drops[.wakeup] ?? 0
    return (row.drops[.machine] ?? 0) + (wakeups * 200 <= OutcomeRow.frames ? wakeups : 0)
  }

  private static func isSmooth(_ row: OutcomeRow, _ first: Int) -> Bool {
    row.status == .complete && row.dropped == excused(row) && row.late == 0 && row.left <= first
  }

  private static func price(_ row: OutcomeRow) -> Double {
    row.lockWait + row.copying + row.handOff
  }

  private static func kind(_ row: OutcomeRow) -> Int? {
    let prices = [row.lockWait, row.copying, row.handOff]
    guard let most = prices.max(), most > 0 else { return nil }
    return prices.firstIndex(of: most)
  }

  private static func harm(_ row: OutcomeRow, _ first: Int) -> Double {
    Double(row.dropped - excused(row)) / 600 + Double(row.late) / 1000
      + Double(max(0, row.left - first)) / 1000
  }

  /// The runs that ran to their end; all runs if none did.
  private static func counted(_ runs: [OutcomeRow]) -> [OutcomeRow] {
    runs.contains { $0.status == .complete } ? runs.filter { $0.status == .complete } : runs
  }

  /// The median of the runs, of two the worse, in the order of drops, then late responses, then remaining items.
  private static func median(_ runs: [OutcomeRow]) -> OutcomeRow {
    var left = counted(runs)
    var sorted: [OutcomeRow] = []
    while !left.isEmpty {
      var best = 0
      for place in left.indices where key(left[place]).lexicographicallyPrecedes(key(left[best])) {
        best = place
      }
      sorted.append(left.remove(at: best))
    }
    return sorted[sorted.count / 2]
  }

  private static func key(_ row: OutcomeRow) -> [Int] {
    [row.dropped - excused(row), row.late, row.left, row.dropped]
  }

  // MARK: Made-up results

  private static func random(_ trial: Int) -> [[OutcomeRow]] {
    var stream = RandomStream(seed: UInt64(trial), name: "verdict")
    func whole(_ bound: Int) -> Int { Int(stream.unit() * Double(bound)) }
    /// Mostly none, so that a strategy is smooth often enough.
    func few(_ bound: Int) -> Int { whole(3) == 0 ? whole(bound) : 0 }
    let engine: EngineKind = whole(2) == 0 ? .real : .virtual
    let repetitions = [1, 1, 2, 3, 5][whole(5)]
    return (0..<(1 + whole(6))).map { strategy in
      // Prices in eighths, which a Double holds exactly: ties are ties.
      let prices = (0..<3).map { _ in Double(few(24)) / 8 }
      return (1...repetitions).map { repetition in
        OutcomeRow(
          label: "s\(strategy)", repetition: repetition, engine: engine,
          status: whole(8) == 0 ? .interrupted : .complete,
          drops: [.logic: few(4), .wakeup: few(7), .machine: engine == .real ? few(3) : 0],
          late: few(3), left: few(4), lockWait: prices[0], copying: prices[1], handOff: prices[2])
      }
    }
  }
}
