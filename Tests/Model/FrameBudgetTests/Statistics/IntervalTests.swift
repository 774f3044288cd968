import Testing

@testable import FrameBudget

/// Intervals that say 95 %: worked out by hand, and how often they hold what they say.
struct `Intervals` {
  // MARK: By hand

  /// SciPy 1.17, `mannwhitneyu(base + shift, new, method="exact")`, is rejected beyond these shifts: with five values on each
  /// side, the third smallest and the third largest of 25 differences.
  @Test func `of a difference end where the test rejects a shift`() throws {
    let (base, new) = (Sample([1, 2, 4, 8, 16]), Sample([3, 9, 27, 81, 243]))
    let interval = try #require(SampleDifference(base, new).interval)
    let differences = new.sorted.flatMap { new in base.sorted.map { new - $0 } }.sorted()
    #expect(interval == differences[2]...differences[22])
  }

  @Test func `of a difference have its size also where it is unusual`() throws {
    let (base, new) = (Sample([0, 0, 0, 0, 0]), Sample([0, 0, 0, 9, 9]))
    let found = SampleDifference(base, new)
    #expect(found.difference == 3)
    #expect(try #require(found.interval).contains(3))
  }

  @Test func `of a difference need four values on each side`() {
    for count in 1...3 {
      let sample = Sample((0..<count).map(Double.init))
      #expect(SampleDifference(sample, sample).interval == nil)
    }
    let four = SampleDifference(Sample([1, 2, 3, 4]), Sample([11, 12, 13, 14]))
    #expect(four.interval == 7...13)
  }

  /// More values than are counted exactly, with infinite ones on one side.
  @Test func `of large samples take their values in order`() throws {
    let base = Sample((0..<500).map(Double.init))
    let new = Sample((0..<500).map { Double($0) + 100 })
    let interval = try #require(SampleDifference(base, new).interval)
    #expect(interval.contains(100) && interval.upperBound - interval.lowerBound < 50)
    let open = Sample((0..<500).map { $0 < 20 ? .infinity : Double($0) })
    #expect(try #require(SampleDifference(base, open).interval).lowerBound.isFinite)
  }

  /// Binomial tails of one half: five values have 1/32 on each side, six 1/64, ten 11/1024, a hundred 0.0176.
  @Test(arguments: [(5, 0), (6, 0), (8, 0), (9, 1), (10, 1), (20, 5), (30, 9), (100, 39)])
  func `of a median are values of the sample`(_ count: Int, _ cut: Int) {
    let sample = Sample((0..<count).map(Double.init))
    #expect(sample.medianInterval == Double(cut)...Double(count - 1 - cut))
  }

  @Test(arguments: 1...4) func `of a median need five values`(_ count: Int) {
    #expect(Sample(Array(repeating: 1, count: count)).medianInterval == nil)
  }

  /// Clopper and Pearson's tables: 9 of 10, none of 10, all of 4, 5 of 20.
  @Test(
    arguments: [
      (9, 10, 0.5550, 0.9975), (0, 10, 0, 0.3085), (4, 4, 0.3976, 1), (5, 20, 0.0866, 0.4910),
      (500_000, 1_000_000, 0.4990, 0.5010),
    ] as [(Int, Int, Double, Double)])
  func `of a share have at most 2.5 % on each side`(
    _ met: Int, _ runs: Int, _ low: Double, _ high: Double
  ) {
    let share = BinomialShare.interval(met, of: runs)
    #expect(abs(share.lowerBound - low) < 0.0001)
    #expect(abs(share.upperBound - high) < 0.0001)
  }

  // Student's t, 97.5 %, from published tables.
  @Test(arguments: [
    (1, 12.7062), (2, 4.3027), (4, 2.7764), (8, 2.3060), (9, 2.2622), (10, 2.2281), (20, 2.0860),
    (30, 2.0423), (60, 2.0003), (120, 1.9799), (1000, 1.9623),
  ])
  func `of a mean use Student's distribution`(_ degrees: Int, _ value: Double) {
    #expect(abs(StudentT.quantile(degrees: degrees) - value) < 0.0002)
  }

  // MARK: How often they hold

  /// Fewer for large samples, which take longer.
  static func trials(_ count: Int) -> Int { 4000 / max(5, count) }

  /// Of that many trials, as many as an interval with 93 % holds in all but one of a thousand tests.
  static func enough(of trials: Int) -> Int {
    Int(0.93 * Double(trials) - 3 * (0.93 * 0.07 * Double(trials)).squareRoot())
  }

  /// Two runs that differ, as their median difference is counted below: by a shift, in spread, in shape.
  static let pairs: [(Draw, Draw)] =
    Draw.allCases.map { ($0, $0) } + [
      (.steady, .noisy), (.calm, .skewed), (.never, .sometimes), (.never, .rare), (.seldom, .often),
      (.sometimes, .often), (.steps, .laterSteps), (.never, .bursts), (.bursts, .moreBursts),
    ]

  /// Slow: thousands of intervals for each pair.
  @Test(arguments: [5, 10, 30], pairs)
  func `of a difference have the true one in at least 93 % of trials`(
    _ count: Int, _ pair: (Draw, Draw)
  ) {
    let truth = Draw.medianDifference(pair)
    let trials = Self.trials(count)
    let held = (0..<trials).count { trial in
      let (base, new) = Draw.samples(pair, trial, count)
      return SampleDifference(Sample(base), Sample(new)).interval?.has(truth) ?? false
    }
    #expect(held >= Self.enough(of: trials), "\(pair), \(count) runs: \(held) of \(trials)")
  }

  @Test(arguments: [5, 10, 30], Draw.allCases)
  func `of a median have the true one in at least 93 % of trials`(_ count: Int, _ draw: Draw) {
    let truth = draw.median
    let trials = Self.trials(count)
    let held = (0..<trials).count { trial in
      Sample(Draw.samples((draw, draw), trial, count).base).medianInterval?.has(truth) ?? false
    }
    #expect(held >= Self.enough(of: trials), "\(draw), \(count) runs: \(held) of \(trials)")
  }

  /// Three captures of 600 frames, from which each frame is dropped or not.
  @Test(arguments: [2, 3, 5], [0.005, 0.02, 0.1])
  func `of shares of captures have the true difference in at least 93 % of trials`(
    _ captures: Int, _ share: Double
  ) {
    let frames = 600
    let trials = Self.trials(captures)
    let held = (0..<trials).count { trial in
      var stream = RandomStream(seed: 3, name: "captures", index: trial)
      func side(_ share: Double) -> [Double] {
        (0..<captures).map { _ in
          let dropped = (0..<frames).count { _ in stream.unit() < share }
          return 100 * Double(dropped) / Double(frames)
        }
      }
      let test = WelchTest(percent: side(share), side(2 * share), of: Double(frames))
      return test.interval.has(100 * share)
    }
    #expect(held >= Self.enough(of: trials), "\(held) of \(trials)")
  }

  @Test(arguments: [5, 10, 30], [0.01, 0.1, 0.5, 0.97])
  func `of a share have the true one in at least 93 % of trials`(_ runs: Int, _ share: Double) {
    let trials = Self.trials(runs)
    let held = (0..<trials).count { trial in
      var stream = RandomStream(seed: 4, name: "share", index: trial)
      let met = (0..<runs).count { _ in stream.unit() < share }
      return BinomialShare.interval(met, of: runs).contains(share)
    }
    #expect(held >= Self.enough(of: trials), "\(held) of \(trials)")
  }
}

/// Distributions of a metric over runs: times, and counts of rare events.
enum Draw: CaseIterable {
  case steady, noisy, calm, skewed, even
  case never, rare, seldom, sometimes, often, many
  case steps, laterSteps, bursts, moreBursts

  func value(_ stream: inout RandomStream) -> Double {
    switch self {
    case .steady: return 20 + stream.normal
    case .noisy: return 21 + 3 * stream.normal
    case .calm: return Self.power(2 + stream.normal / 2)
    case .skewed: return Self.power(2.3 + stream.normal)
    case .even: return 10 * stream.unit()
    case .never: return 0
    case .rare: return stream.unit() < 0.1 ? 1 : 0
    case .seldom: return stream.count(0.5)
    case .sometimes: return stream.count(2)
    case .often: return stream.count(5)
    case .many: return stream.count(40)
    // Answers come at vsyncs.
    case .steps: return 16.7 * Double(1 + stream.place(in: [5, 3, 1]))
    case .laterSteps: return 16.7 * Double(1 + stream.place(in: [2, 5, 3]))
    case .bursts: return stream.unit() < 0.7 ? 0 : stream.count(8)
    case .moreBursts: return stream.unit() < 0.4 ? 0 : stream.count(8)
    }
  }

  static func samples(
    _ pair: (Draw, Draw), _ trial: Int, _ count: Int
  ) -> (base: [Double], new: [Double]) {
    var stream = RandomStream(seed: 2, name: "\(pair)/\(count)", index: trial)
    let base = (0..<count).map { _ in pair.0.value(&stream) }
    return (base, (0..<count).map { _ in pair.1.value(&stream) })
  }

  private static let most = 5001

  static func medianDifference(_ pair: (Draw, Draw)) -> Double {
    // Equal distributions differ by 0 as often upwards as downwards.
    guard pair.0 != pair.1 else { return 0 }
    let (base, new) = samples(pair, -1, most)
    return zip(base, new).map { $1 - $0 }.sorted()[most / 2]
  }

  var median: Double { Self.samples((self, self), -1, Self.most).base.sorted()[Self.most / 2] }

  /// e to the `exponent`, by its series.
  fileprivate static func power(_ exponent: Double) -> Double {
    (1...40).reduce((sum: 1.0, term: 1.0)) { series, place in
      let term = series.term * exponent / Double(place)
      return (series.sum + term, term)
    }.sum
  }
}

extension ClosedRange<Double> {
  /// Whether it has `truth`, which is counted from draws, so with a small error.
  fileprivate func has(_ truth: Double) -> Bool {
    lowerBound <= truth + 0.01 && upperBound >= truth - 0.01
  }
}

extension RandomStream {
  /// With mean 0 and deviation 1: twelve equal parts, added up.
  fileprivate var normal: Double {
    mutating get { (0..<12).reduce(-6) { sum, _ in sum + unit() } }
  }

  /// A number of events of which `mean` are expected: as many as have exponential gaps within it.
  fileprivate mutating func count(_ mean: Double) -> Double {
    var (product, count, left) = (unit(), 0.0, mean)
    // e to the -mean, in parts that do not underflow.
    while true {
      let limit = left > 1 ? 0.36787944117144233 : Draw.power(-left)
      if product > limit {
        product *= unit()
        count += 1
      } else if left <= 1 {
        return count
      } else {
        product /= limit
        left -= 1
      }
    }
  }

  fileprivate mutating func place(in weights: [Double]) -> Int {
    var left = unit() * weights.reduce(0, +)
    for (place, weight) in weights.enumerated() {
      left -= weight
      if left < 0 { return place }
    }
    return weights.count - 1
  }
}
