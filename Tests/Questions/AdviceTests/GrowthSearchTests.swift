import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetAdvice

@Suite struct GrowthSearchTests {
  /// Variants that each meet the aims up to the given percentages, by aim.
  private final class Variants {
    let borne: [[Int]]
    var runs: [[Int]] = []

    init(_ borne: [[Int]]) { self.borne = borne }

    func percents(endedAfter most: Int = .max) -> (all: Int, each: [Int])? {
      var search = GrowthSearch(variants: borne.count) { variant, percent in
        self.runs.append([variant, percent])
        return self.runs.count > most ? nil : self.borne[variant].map { percent <= $0 }
      }
      return search.percents(aims: borne[0].count)
    }

    /// Calculated from the largest growth of each variant: the last step at which all but a tenth of them meet the aims.
    func expected(_ aims: Range<Int>) -> Int {
      let ends = borne.map { percents in percents[aims].min() ?? 0 }.sorted()
      let weakest = ends[borne.count / 10]
      return Margin.steps.last { $0 <= weakest } ?? 0
    }
  }

  private static func random(_ seed: Int) -> Variants {
    var numbers = RandomNumbers(seed: UInt64(seed))
    let aims = 1 + numbers.next(below: 3)
    let typical = (0..<aims).map { _ in 1 + numbers.next(below: 500) }
    return Variants(
      (0..<20).map { _ in
        typical.map { percent in
          // One in ten misses an aim even at today's costs.
          numbers.next(below: 10) == 0 ? -1 : percent / 2 + numbers.next(below: percent)
        }
      })
  }

  @Test func `finds the growth at which nine tenths of the variants meet all aims, and each aim`()
    throws
  {
    for seed in 0..<2000 {
      let variants = Self.random(seed)
      let aims = variants.borne[0].indices
      let found = try #require(variants.percents())
      #expect(found.all == variants.expected(aims), "seed \(seed)")
      #expect(found.each == aims.map { variants.expected($0..<$0 + 1) }, "seed \(seed)")
      #expect(Set(variants.runs).count == variants.runs.count, "no run is made twice")
    }
  }

  /// The default aim for items compares with today's arrangement, so it fails up to a growth at which that one does worse.
  @Test func `an aim that is met again at larger growths is named as what ends the margin`() throws
  {
    for seed in 0..<500 {
      var numbers = RandomNumbers(seed: UInt64(seed))
      let first = numbers.next(below: 120)
      let again = 2 * first + 60 + numbers.next(below: 300)
      let other = first + 20 + numbers.next(below: 400)
      var search = GrowthSearch(variants: 20) { variant, percent in
        [percent < first + variant % 3 || percent > again, percent <= other + variant]
      }
      let percents = search.percents(aims: 2)
      let found = try #require(percents)
      #expect(found.all <= first + 2, "seed \(seed)")
      #expect(found.each[0] == found.all, "seed \(seed)")
    }
  }

  /// A search for each variant would take about eight runs.
  @Test func `takes about two runs for each variant and aim`() throws {
    var (runs, aims) = (0, 0)
    for seed in 0..<200 {
      let variants = Self.random(seed)
      _ = variants.percents()
      runs += variants.runs.count
      aims += 1 + variants.borne[0].count
    }
    #expect(runs < 50 * aims, "\(Double(runs) / Double(aims)) for 20 variants and an aim")
  }

  @Test func `stops when it is cancelled`() {
    let variants = Self.random(1)
    _ = variants.percents()
    let all = variants.runs.count
    for most in 0..<all {
      let ended = Self.random(1)
      #expect(ended.percents(endedAfter: most) == nil && ended.runs.count == most + 1)
    }
  }

  @Test func `tries steps of at most about a twentieth, up to the largest`() {
    #expect(Margin.steps == Margin.steps.sorted() && Set(Margin.steps).count == Margin.steps.count)
    #expect(Margin.steps.first == 0 && Margin.steps.last == Margin.most)
    for (step, next) in zip(Margin.steps, Margin.steps.dropFirst()) {
      #expect(next - step <= max(1, step / 10), "\(step) to \(next)")
    }
  }
}
