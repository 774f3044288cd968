import FrameBudget
import struct TestSupport.Tries
import Testing

@testable import FrameBudgetReports

/// Comparisons with answers that never came: percentiles for which only lower bounds are known.
struct BoundComparisonTests {
  typealias Side = (values: [Double], bounds: [Double])

  static func comparison(
    _ base: Side, _ new: Side, engine: String = "virtual", gate: Gate = Gate("response_ms_p99")
  ) -> ResultComparison {
    func set(_ side: Side) -> ResultSet {
      results(
        ["response_ms_p99": side.values, "response_ms_p99_is_bound": side.bounds], engine: engine)
    }
    return ResultComparison(base: set(base), new: set(new), gates: [gate])
  }

  static func verdict(_ comparison: ResultComparison) -> MetricComparison.Verdict? {
    comparison.groups.first?.metrics.first?.verdict
  }

  @Test(
    arguments: [
      // A hang that leaves nine taps of ten unanswered is not an improvement.
      ((5760, 0), (16.7, 1), .inconclusive), ((16.7, 0), (5760, 1), .worse),
      ((16.7, 0), (16.7, 1), .inconclusive), ((16.7, 1), (5760, 0), .inconclusive),
      ((5760, 1), (16.7, 0), .better), ((16.7, 1), (16.7, 0), .inconclusive),
      ((5760, 1), (5760, 1), .inconclusive), ((16.7, 1), (5760, 1), .inconclusive),
      ((16.7, 0), (16.7, 0), .same),
    ] as [((Double, Double), (Double, Double), MetricComparison.Verdict)])
  func `a comparison of two runs is decided if the bounds suffice`(
    _ base: (Double, Double), _ new: (Double, Double), _ expected: MetricComparison.Verdict
  ) throws {
    let comparison = Self.comparison(([base.0], [base.1]), ([new.0], [new.1]))
    #expect(Self.verdict(comparison) == expected)
    let metric = try #require(comparison.groups.first?.metrics.first)
    #expect((metric.note == nil) == (expected != .inconclusive))
    let outcome: ResultComparison.Outcome =
      switch expected {
      case .worse: .regression
      case .inconclusive: .inconclusive
      default: .holds
      }
    #expect(comparison.outcome == outcome)
  }

  @Test func `a threshold holds for what is certain`() {
    let gate = Gate("response_ms_p99", threshold: .relative(0.1))
    #expect(Self.verdict(Self.comparison(([100], [0]), ([109], [1]), gate: gate)) == .inconclusive)
    #expect(Self.verdict(Self.comparison(([100], [0]), ([111], [1]), gate: gate)) == .worse)
    #expect(Self.verdict(Self.comparison(([100], [1]), ([91], [0]), gate: gate)) == .inconclusive)
    #expect(Self.verdict(Self.comparison(([100], [1]), ([89], [0]), gate: gate)) == .better)
  }

  static let fast = (0..<20).map { 100 + Double($0) / 10 }
  static let slow = (0..<20).map { 200 + Double($0) / 10 }
  static let none = Array(repeating: 0.0, count: 20)
  static let all = Array(repeating: 1.0, count: 20)
  static let one = [1.0] + Array(repeating: 0.0, count: 19)

  @Test func `measured samples are decided if all ends of the bounds agree`() {
    func verdict(_ base: Side, _ new: Side) -> MetricComparison.Verdict? {
      Self.verdict(Self.comparison(base, new, engine: "real"))
    }
    let (fast, slow, none, all, one) = (Self.fast, Self.slow, Self.none, Self.all, Self.one)
    #expect(verdict((fast, none), (slow, all)) == .worse)
    #expect(verdict((slow, none), (fast, all)) == .inconclusive)
    #expect(verdict((slow, all), (fast, none)) == .better)
    #expect(verdict((fast, all), (slow, none)) == .inconclusive)
    #expect(verdict((fast, all), (slow, all)) == .inconclusive)
    #expect(verdict((fast, none), (fast, all)) == .inconclusive)
    // One of twenty is left out of the means, no matter how large it is.
    #expect(verdict((fast, one), (slow, one)) == .worse)
    #expect(verdict((fast, one), (fast, one)) == .same)
  }

  /// A verdict on lower bounds holds for all values that they allow: each is replaced by many larger values.
  /// Slow: tests each metric of each trial.
  @Test func `a verdict holds for all values that the bounds allow`() {
    var decided = 0
    let trials = Tries.boundComparisons.count
    for trial in 0..<trials {
      var random = RandomStream(seed: UInt64(trial), name: "bounds")
      func side(_ mean: Double, share: Double) -> Side {
        (
          (0..<10).map { _ in mean * (0.9 + 0.2 * random.unit()) },
          (0..<10).map { _ in random.unit() < share ? 1 : 0 }
        )
      }
      // Bounds on one side, on the other, or a few on both.
      let shares = [(0, 0.5), (0.5, 0), (0.05, 0.05)][trial % 3]
      let base = side(100, share: shares.0)
      let new = side([30, 100, 300][trial / 3 % 3], share: shares.1)
      let comparison = Self.comparison(base, new, engine: "real")
      guard let verdict = Self.verdict(comparison), verdict != .inconclusive else { continue }
      decided += 1
      for _ in 0..<10 {
        func ended(_ side: Side) -> Side {
          let values = zip(side.values, side.bounds).map {
            $1 == 1 ? $0 * (1 + 20 * random.unit()) : $0
          }
          return (values, Array(repeating: 0, count: 10))
        }
        let after = Self.comparison(ended(base), ended(new), engine: "real")
        #expect(Self.verdict(after) == verdict, "trial \(trial)")
      }
    }
    #expect((trials / 6..<trials * 5 / 6).contains(decided), "some are decided, some are not")
  }

  @Test func `a bound is marked wherever it is printed`() throws {
    let comparison = Self.comparison(([16.7], [0]), ([5760], [1]))
    let table = ComparisonText.table(comparison)
    #expect(table.contains("16.7  >5760 ms  >+34391 %"))
    #expect(ComparisonText.markdown(comparison).contains("| 16.7 | \\>5760 ms | \\>+34391 % |"))
    let lines = ComparisonText.records(comparison).csv.split(separator: "\n")
    #expect(lines[0].contains(",note,base_is_bound,new_is_bound,counts_from,passes_up_to,"))
    #expect(lines[1].hasSuffix(",0,1,,,,,,") && lines[1].contains(",16.7,5760,"))
    let turned = ComparisonText.table(Self.comparison(([5760], [1]), ([16.7], [0])))
    #expect(turned.contains(">5760  16.7 ms  <-99.71 %"))
  }

  @Test func `a bound that does not decide says why`() {
    func note(_ base: Double, _ new: Double) -> String? {
      Self.comparison(([100], [base]), ([100], [new])).groups[0].metrics[0].note
    }
    let remedy = "; a longer run may decide, or responses_late and items_backlog"
    #expect(note(0, 1) == "waits were still open at the end of the new result" + remedy)
    #expect(note(1, 0) == "waits were still open at the end of the base" + remedy)
    #expect(note(1, 1) == "waits were still open at the end of both results" + remedy)
  }
}
