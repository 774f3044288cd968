import FrameBudget
import Testing

@Suite struct DurationDistributionTests {
  private static let count = 100_000

  private func sample(_ distribution: DurationDistribution) -> [Double] {
    var stream = RandomStream(seed: 11, name: "sample")
    return (0..<Self.count).map { _ in distribution.sample(using: &stream).inMilliseconds }
  }

  private func moments(_ sample: [Double]) -> (mean: Double, deviation: Double) {
    let mean = sample.reduce(0, +) / Double(sample.count)
    let squares = sample.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / Double(sample.count)).squareRoot())
  }

  @Test(
    arguments: [
      (.uniform(from: .milliseconds(8), to: .milliseconds(12)), 10, 1.1547),
      (.uniform(from: .zero, to: .seconds(86_400)), 43_200_000, 24_941_532),
      (.normal(mean: .milliseconds(10), deviation: .milliseconds(1)), 10, 1),
      (.exponential(mean: .milliseconds(3)), 3, 3),
    ] as [(DurationDistribution, Double, Double)])
  func `mean and deviation are as configured`(
    distribution: DurationDistribution, mean: Double, deviation: Double
  ) {
    let found = moments(sample(distribution))
    let error = deviation / Double(Self.count).squareRoot()
    #expect(abs(found.mean - mean) < 4 * error)
    #expect(abs(found.deviation - deviation) < 0.02 * deviation)
    #expect(distribution.mean.inMilliseconds == mean)
  }

  @Test func `a constant draws nothing from the stream`() {
    var stream = RandomStream(seed: 1, name: "constant")
    var untouched = stream
    #expect(
      DurationDistribution.constant(.milliseconds(2)).sample(using: &stream).nanoseconds
        == 2_000_000)
    #expect(DurationDistribution.none.sample(using: &stream) == .zero)
    #expect(stream.next() == untouched.next())
  }

  @Test func `uniform draws stay between their bounds`() {
    let sample = sample(.uniform(from: .milliseconds(8), to: .milliseconds(12)))
    #expect(sample.count { !(8...12).contains($0) } == 0)
    var stream = RandomStream(seed: 1, name: "point")
    let point = DurationDistribution.uniform(from: .seconds(1), to: .seconds(1))
    #expect(point.sample(using: &stream) == .seconds(1))
  }

  @Test func `a normal distribution has its tails`() {
    let sample = sample(.normal(mean: .milliseconds(10), deviation: .milliseconds(1)))
    let share = { (limit: Double) in
      Double(sample.count { abs($0 - 10) > limit }) / Double(Self.count)
    }
    #expect(abs(share(1) - 0.3173) < 0.006)
    #expect(abs(share(2) - 0.0455) < 0.003)
    #expect(abs(share(3) - 0.0027) < 0.0007)
  }

  @Test func `an exponential distribution is memoryless`() {
    let sample = sample(.exponential(mean: .milliseconds(3)))
    for multiple in [1.0, 2, 3] {
      let beyond = Double(sample.count { $0 > 3 * multiple }) / Double(Self.count)
      let expected = [0.36788, 0.13534, 0.04979][Int(multiple) - 1]
      #expect(abs(beyond - expected) < 0.006)
    }
  }

  @Test(
    arguments: [
      .normal(mean: .milliseconds(1), deviation: .milliseconds(10)), .exponential(mean: .zero),
      .exponential(mean: .nanoseconds(1)), .normal(mean: .zero, deviation: .seconds(86_400)),
    ] as [DurationDistribution])
  func `no draw is negative`(distribution: DurationDistribution) {
    let negative = sample(distribution).count { $0 < 0 }
    #expect(negative == 0)
  }

  @Test func `negative normal draws are cut off at zero, not mirrored`() {
    let sample = sample(.normal(mean: .zero, deviation: .milliseconds(1)))
    let zeros = Double(sample.count { $0 == 0 }) / Double(Self.count)
    #expect(abs(zeros - 0.5) < 0.007)
  }
}
