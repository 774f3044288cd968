import FrameBudget
import Testing

/// The statistical metrics, compared with slow and obvious versions of their formulas over random runs.
@Suite struct StatisticalMetricsTests {
  private static let rates = [
    RefreshRate(60), RefreshRate(10), RefreshRate(120), RefreshRate(60000, over: 1001),
  ]

  private func randomLog(_ rate: RefreshRate, seed: UInt64) -> RunLog {
    var random = RandomStream(seed: seed, name: "statistics")
    let period = rate.period.inMilliseconds
    var run = TestRun(rate: rate, duration: .seconds(3))
    var vsync = 0
    while rate.vsync(vsync + 1) < .ms(2900) {
      let long = random.next() % 7 == 0
      let length = TimeSpan.ms(random.unit() * period * (long ? 6 : 1.1))
      vsync = run.frames.frame(vsync, to: rate.vsync(vsync) + length, at: rate, [(.logic, length)])
    }
    return run.finish()
  }

  /// Linear interpolation at `h = q (n - 1)`, in milliseconds.
  private func quantile(_ q: Double, _ sample: [Int64]) -> Double {
    let sorted = sample.map { Double($0) / 1e6 }.sorted()
    let h = q * Double(sorted.count - 1)
    let low = sorted[Int(h.rounded(.down))]
    let high = sorted[Int(h.rounded(.up))]
    return low * (1 - (h - h.rounded(.down))) + high * (h - h.rounded(.down))
  }

  private func expectQuantiles(
    _ prefix: String, of metrics: RunMetrics, are sample: [Int64],
    at location: SourceLocation = #_sourceLocation
  ) {
    for (name, q) in [
      ("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999), ("max", 1),
    ] {
      let found = metrics["\(prefix)_\(name)"] ?? .nan
      #expect(
        abs(found - quantile(q, sample)) < 1e-6, "\(prefix)_\(name)", sourceLocation: location)
    }
  }

  @Test(arguments: rates, 0..<25 as Range<UInt64>)
  func `statistics agree with their naive versions`(rate: RefreshRate, seed: UInt64) {
    let run = randomLog(rate, seed: seed)
    let metrics = RunMetrics(run)
    let log = run.frames
    let last = log.expected
    let shown = log.begins.indices.map(log.shown).filter { $0 <= last }
    expectQuantiles("frame_ms", of: metrics, are: log.works)
    expectQuantiles("vsync_age_ms", of: metrics, are: ages(log, shown))
    #expect(metrics["worst_second_dropped_pct"] == worstSecond(rate, last, Set(shown)))
    #expect(metrics["low_1pct_fps"] == low(rate, last, shown))
  }

  /// By vsync, looking for the newest frame from the end of the log. Before the first, the last frame of
  /// the warm-up is on the screen; it began one period before time 0.
  private func ages(_ log: FrameLog, _ shown: [Int]) -> [Int64] {
    (1...log.expected).map { vsync in
      let begin = shown.lastIndex { $0 <= vsync }.map { log.refresh.vsync(Int(log.begins[$0])) }
      return (log.refresh.vsync(vsync) - (begin ?? .zero - log.refresh.period)).nanoseconds
    }
  }

  private func worstSecond(_ rate: RefreshRate, _ last: Int, _ shown: Set<Int>) -> Double {
    var window = 0
    while rate.vsync(window + 1) <= .ms(1000) { window += 1 }
    let drops = (1...(last - window + 1)).map { start in
      (start..<start + window).count { !shown.contains($0) }
    }
    return 100 * Double(drops.max() ?? 0) / Double(window)
  }

  /// Counts up nanosecond shares of the longest intervals until they are 1 % of the time shown.
  private func low(_ rate: RefreshRate, _ last: Int, _ shown: [Int]) -> Double? {
    let ends = shown.last == last ? shown : shown + [last]
    let instants = [Instant.zero] + ends.map(rate.vsync)
    let intervals = zip(instants.dropFirst(), instants).map { ($0 - $1).nanoseconds }
      .sorted().reversed()
    var sum = 0.0
    for interval in intervals {
      sum += Double(interval)
      if sum >= 0.01 * Double(rate.vsync(last).nanoseconds) { return 1e9 / Double(interval) }
    }
    return nil
  }

  @Test func `quantiles of small samples`() {
    #expect(Percentiles([]).quantile(0.5) == nil)
    #expect(Percentiles([7]).quantile(0) == 7 && Percentiles([7]).quantile(1) == 7)
    #expect(Percentiles([3, 1]).quantile(0.5) == 2 && Percentiles([3, 1]).quantile(0.25) == 1.5)
    #expect(Percentiles([4, 1, 3, 2]).maximum == 4)
    #expect(Percentiles([.max - 1, .max]).quantile(0) == Double(Int64.max - 1))
  }

  @Test(arguments: [-0.1, 1.1]) func `a quantile outside of 0 to 1 traps`(q: Double) async {
    await #expect(processExitsWith: .failure) { [q] in _ = Percentiles([1]).quantile(q) }
  }
}
