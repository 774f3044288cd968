import FrameBudget
import Testing

/// All rates, compared with divisions by hand.
@Suite struct RateTests {
  /// 100 Hz: eight vsyncs of 2 s want a frame, or all do. A frame of 25 ms drops two vsyncs, and two items come.
  private static func run(isOnDemand: Bool) -> RunMetrics {
    var run = TestRun([.at([1, 2])], rate: RefreshRate(100), duration: .ms(2000))
    run.arriveAll()
    run.items.done(0, 0, at: .ms(3))
    run.items.pending(0, 1)
    run.totals.hops = 3
    let requests = (1...8).map { TimeSpan.ms(Double($0) * 10) }
    let demand = isOnDemand ? FrameDemand.onDemand(at: requests) : .always
    run.frames = FrameLedger(
      Display(
        refresh: run.rate, frames: demand,
        mainLoop: isOnDemand ? .events(MainLoop.Events()) : .frame),
      duration: .ms(2000), detail: .summary, hasRealClock: false)
    draw(&run.frames, isOnDemand: isOnDemand)
    return RunMetrics(run.finish())
  }

  /// Frames of 5 ms, the third of which takes 25.
  private static func draw(_ frames: inout FrameLedger, isOnDemand: Bool) {
    var number = 0
    while let begin = beginNext(&frames, isOnDemand: isOnDemand) {
      number += 1
      let (end, posted) = (begin + .ms(number == 3 ? 25 : 5), begin + .ms(1))
      for (phase, from, to) in [(Phase.post, begin, posted), (.logic, posted, end)] {
        frames.spend(to - from, on: phase)
        if isOnDemand { frames.ran(phase, from: from, to: to) }
      }
      frames.end(at: end)
    }
  }

  private static func beginNext(_ frames: inout FrameLedger, isOnDemand: Bool) -> Instant? {
    guard isOnDemand else {
      guard !frames.isOver else { return nil }
      frames.begin(vsync: frames.vsync, wokeAt: frames.due)
      return frames.due
    }
    guard let event = frames.nextEvent(at: .zero) else { return nil }
    frames.begin(event, at: event.posted)
    return event.posted
  }

  @Test(arguments: [false, true])
  func `each rate equals its count divided by the time that it covers`(isOnDemand: Bool) throws {
    let run = Self.run(isOnDemand: isOnDemand)
    let expected = try #require(run["expected_frames"])
    #expect(run["dropped_frames"] == 2 && expected == (isOnDemand ? 8 : 200))
    let frames = Double(run.log.frames.begins.count)
    let logic: Double = frames * 4 + 20
    let wantedSeconds: Double = isOnDemand ? 0.08 : 2
    let shownPerSecond: Double? = isOnDemand ? nil : (expected - 2) / 2
    let slowest: Double? = isOnDemand ? nil : 1 / 0.03
    let values: [String: Double?] = [
      "dropped_frames_pct": 200 / expected, "hitch_ratio_ms_per_s": 20 / wantedSeconds,
      "worst_second_dropped_pct": 200 / min(100, expected), "average_fps": shownPerSecond,
      "low_1pct_fps": slowest, "low_0_1pct_fps": slowest,
      "slow_frames_pct": (isOnDemand ? 200 : 100) / frames,
      "frozen_frames_pct": 0, "throughput_per_s": 0.5, "main_logic_ms_per_frame": logic / frames,
      "handoff_us_per_item": 500 * frames, "hops_per_item": 1.5,
    ]
    #expect(Set(values.keys) == Set(MetricCatalog.rates.map(\.name)))
    for (name, value) in values {
      guard let value else {
        #expect(run[name] == nil, "\(name)")
        continue
      }
      let found = try #require(run[name], "\(name)")
      #expect(abs(found - value) < 1e-9 * max(1, value), "\(name): \(found), not \(value)")
    }
  }

  @Test func `each metric with the unit or name of a rate states its divisor`() {
    let units: [Metric.Unit] = [
      .percent, .millisecondsPerSecond, .framesPerSecond, .itemsPerSecond,
    ]
    let named = MetricCatalog.all.filter {
      units.contains($0.unit) || $0.name.contains("_per_") || $0.name.contains("_ratio")
    }
    #expect(named.map(\.name) == MetricCatalog.rates.map(\.name))
    for metric in MetricCatalog.rates {
      let denominator = metric.denominator.map { " / \($0)" } ?? "none"
      #expect(metric.formula.hasSuffix(denominator), "\(metric.name)")
    }
  }
}
