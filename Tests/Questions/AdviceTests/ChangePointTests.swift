import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetAdvice

/// Change points of a series: worked out by hand, and how often they are right in simulated histories.
@Suite struct ChangePointTests {
  // MARK: By hand

  @Test func `change points of a step are its first commit`() {
    let values = [4.0, 5, 4, 5, 4, 5, 9, 8, 9, 8, 9, 8]
    let found = ChangePointSearch.changePoints(of: values)
    #expect(found.map(\.place) == [6])
    // 2 of the 924 ways to choose six of twelve values have them all on one side.
    #expect(found.allSatisfy { $0.p <= 0.01 })
  }

  @Test func `those of several steps are found in their order`() {
    let levels = [10.0, 14, 12, 20].flatMap { level in (0..<12).map { level + Double($0 % 3) / 10 }
    }
    #expect(ChangePointSearch.changePoints(of: levels).map(\.place) == [12, 24, 36])
  }

  @Test func `change points need ten values, and differences`() {
    for count in 0..<10 {
      let step = (0..<count).map { $0 < count / 2 ? 1.0 : 2 }
      #expect(ChangePointSearch.changePoints(of: step).isEmpty)
    }
    let ten = (0..<10).map { $0 < 5 ? 1.0 : 2 }
    #expect(ChangePointSearch.changePoints(of: ten).map(\.place) == [5])
    #expect(ChangePointSearch.changePoints(of: Array(repeating: 3, count: 500)).isEmpty)
  }

  @Test func `one or two unusual values are none`() {
    var values = (0..<40).map { 20 + Double($0 * 7 % 5) / 10 }
    (values[20], values[21]) = (90, 90)
    #expect(ChangePointSearch.changePoints(of: values).isEmpty)
  }

  @Test func `change points do not depend on the unit, nor on its zero`() {
    let values = SimulatedHistory(.skewed, spread: 0.02, step: 30, trial: 1).values
    let found = ChangePointSearch.changePoints(of: values)
    #expect(!found.isEmpty)
    #expect(ChangePointSearch.changePoints(of: values.map { 1024 * $0 }) == found)
    #expect(ChangePointSearch.changePoints(of: values.map { -$0 }) == found)
  }

  // MARK: How often they are right

  /// Slow: 300 histories, with and without a step, for each line of the table.
  @Test func `change points are as often right as the results say`() throws {
    let part = try GeneratedPart(of: "results/history/README.md", by: "make golden")
    let table = FoundSteps.table
    if Golden.isRewriting { try part.write(table) }
    #expect(part.text == table || Golden.isRewriting)
  }

  @Test(arguments: Noise.allCases)
  func `change points are in at most 5 % of histories without a change`(_ noise: Noise) {
    for spread in Noise.spreads {
      #expect(FoundSteps.falseAlarms(noise, spread) <= 15, "\(noise), \(spread)")
    }
  }

  @Test(arguments: Noise.allCases.filter { $0 != .rare })
  func
    `change points are within two commits of at least 90 % of steps of 5 %, for a spread up to 1 %`(
      _ noise: Noise
    )
  {
    for spread in [0.005, 0.01] {
      let found = (0..<300).count { FoundSteps($0, noise, spread, step: nil).isFound }
      #expect(found >= 270, "\(noise), \(spread): \(found)")
    }
  }
}

/// The noise of a metric from commit to commit.
enum Noise: String, CaseIterable {
  case normal
  case skewed = "log-normal"
  case heavy = "heavy tails"
  case counts
  /// Many zeros, whatever the spread.
  case rare = "rare counts"

  static let spreads = [0.005, 0.01, 0.02, 0.03]

  /// A value with a mean of 1 and a standard deviation of `spread`.
  func value(_ spread: Double, _ stream: inout RandomStream) -> Double {
    switch self {
    case .normal: return 1 + spread * stream.normal
    case .skewed:
      return 1 + spread * (exp(stream.normal) - exp(0.5)) / ((M_E - 1) * M_E).squareRoot()
    // Student's t with three degrees of freedom.
    case .heavy:
      let squares = (0..<3).reduce(0.0) { sum, _ in
        let normal = stream.normal
        return sum + normal * normal
      }
      return 1 + spread * stream.normal / squares.squareRoot()
    case .counts: return ((1 + spread * stream.normal) / spread).rounded() * spread
    case .rare: return stream.unit() < 0.2 ? (stream.unit() < 0.3 ? 2 : 1) : 0
    }
  }
}

/// A metric over commits.
struct SimulatedHistory {
  let values: [Double]

  static let commits = 60
  static let step = 1.05

  /// Grows by 5 % at the commit `step`, if that is given.
  init(_ noise: Noise, spread: Double, step: Int?, trial: Int) {
    var stream = RandomStream(seed: 7, name: "\(noise)/\(spread)", index: trial)
    values = (0..<Self.commits).map { commit in
      noise.value(spread, &stream) * (step.map { commit >= $0 } ?? false ? Self.step : 1)
    }
  }
}

/// The change points that are found in a history with one step.
struct FoundSteps {
  let step: Int
  let found: [Int]

  static let histories = 300

  /// `step` is the commit of the step; by default any with eight commits on each side.
  init(_ trial: Int, _ noise: Noise, _ spread: Double, step: Int?) {
    var stream = RandomStream(seed: 8, name: "step", index: trial)
    self.step = step ?? 8 + Int(stream.unit() * 45)
    let history = SimulatedHistory(noise, spread: spread, step: self.step, trial: trial)
    found = ChangePointSearch.changePoints(of: history.values).map(\.place)
  }

  var isFound: Bool { found.contains { abs($0 - step) <= 2 } }
  var isExact: Bool { found.contains(step) }
  var isElsewhere: Bool { found.contains { abs($0 - step) > 2 } }

  /// The number of histories without a step in which one is found.
  static func falseAlarms(_ noise: Noise, _ spread: Double) -> Int {
    (0..<histories).count { trial in
      let history = SimulatedHistory(noise, spread: spread, step: nil, trial: trial)
      return !ChangePointSearch.changePoints(of: history.values).isEmpty
    }
  }

  /// The number of histories without a step in which one is found after any of their commits.
  private static func everFalse(_ noise: Noise, _ spread: Double) -> Int {
    (0..<histories).count { trial in
      let values = SimulatedHistory(noise, spread: spread, step: nil, trial: trial).values
      return values.indices.contains {
        !ChangePointSearch.changePoints(of: values[...$0]).isEmpty
      }
    }
  }

  // MARK: The table

  static var table: String {
    let head = [
      "noise", "spread", "false", "false after any commit", "found within 2 commits",
      "at the commit itself", "found 5 commits after", "also elsewhere",
    ]
    let rows = Noise.allCases.flatMap { noise in
      (noise == .rare ? [Noise.spreads[0]] : Noise.spreads).map { cells(noise, $0) }
    }
    return ([head, head.map { _ in "---" }] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  private static func cells(_ noise: Noise, _ spread: Double) -> [String] {
    let alarms = [falseAlarms(noise, spread), everFalse(noise, spread)].map(percent)
    guard noise != .rare else { return [noise.rawValue, ""] + alarms + ["", "", "", ""] }
    let any = (0..<histories).map { Self($0, noise, spread, step: nil) }
    let late = (0..<histories).map {
      Self($0, noise, spread, step: SimulatedHistory.commits - 5)
    }
    let steps = [
      any.count(where: \.isFound), any.count(where: \.isExact), late.count(where: \.isFound),
      any.count(where: \.isElsewhere),
    ]
    return [noise.rawValue, "\(Decimal.text(100 * spread, places: 1)) %"] + alarms
      + steps.map(percent)
  }

  private static func percent(_ count: Int) -> String {
    Decimal.text(100 * Double(count) / Double(histories), places: 1) + " %"
  }
}

extension RandomStream {
  /// With mean 0 and deviation 1: twelve equal parts, added up.
  fileprivate var normal: Double {
    mutating get { (0..<12).reduce(-6) { sum, _ in sum + unit() } }
  }
}
