import FrameBudget
import Testing

/// Small cases, calculated by hand; vsyncs are 10 ms apart unless stated otherwise.
@Suite struct FrameMetricsTests {
  private func metrics(
    _ lengths: [Double], end: Double, rate: RefreshRate = RefreshRate(100), late: Double = 0,
    phase: Phase = .logic, realClock: Bool = false
  ) -> RunMetrics {
    var run = TestRun(rate: rate, duration: .ms(end), realClock: realClock)
    _ = run.frames(lengths, phase, late: late)
    return RunMetrics(run.finish())
  }

  @Test func `frames that were shown and vsyncs that were not`() {
    // Shown at vsyncs 1, 4, 5, 7: 2, 3 and 6 were dropped.
    let metrics = metrics([5, 25, 10, 10.000001], end: 75)
    #expect(metrics["expected_frames"] == 7 && metrics["presented_frames"] == 4)
    #expect(metrics["dropped_frames"] == 3 && metrics["drops_logic"] == 3)
    #expect(metrics["dropped_frames_pct"] == 300.0 / 7)
    #expect(metrics["over_budget_frames"] == 2 && metrics["hitch_count"] == 2)
    #expect(metrics["hitch_total_ms"] == 30 && metrics["hitch_max_ms"] == 20)
    #expect(metrics["hitch_ratio_ms_per_s"] == 400, "30 ms in 75 ms")
    #expect(metrics["longest_gap_vsyncs"] == 2)
    #expect(metrics["average_fps"] == 4 / 0.075)
    #expect(metrics["main_logic_ms_per_frame"] == 50.000001 / 4)
  }

  /// By the phase of a frame's time; missing buffers take no time.
  @Test(arguments: [
    (Cause.wakeup, Phase.wakeup), (.lock, .lockWait), (.logic, .logic), (.drain, .release),
    (.post, .post), (.reads, .reads), (.render, .render), (.preempted, .preempted),
    (.machine, .machine), (.compositor, .compositor),
  ])
  func `drops count under their cause`(cause: Cause, phase: Phase) {
    let metrics = metrics([35], end: 40, phase: phase)
    for other in Cause.allCases {
      #expect(metrics["drops_\(other.name)"] == (other == cause ? 3 : 0))
    }
  }

  @Test func `drops by cause add up`() {
    var run = TestRun(duration: .ms(200))
    let first = run.frames.frame(0, to: .ms(35), at: run.rate, [(.logic, .ms(35))])
    let second = run.frames.frame(first, to: .ms(95), at: run.rate, [(.render, .ms(55))])
    run.frames.begin(vsync: second, wokeAt: .ms(100))
    run.frames.spend(.ms(99), on: .reads)
    let metrics = RunMetrics(run.finish())
    #expect(metrics["drops_logic"] == 3 && metrics["drops_render"] == 5)
    #expect(metrics["drops_reads"] == 10 && metrics["dropped_frames"] == 18)
  }

  @Test func `frozen is above 700 ms, a hang above 250 ms`() {
    let metrics = metrics([250, 250.000001, 700, 700.000001], end: 1920)
    #expect(metrics["frozen_frames"] == 1)
    #expect(metrics["hang_count"] == 3)
    #expect(metrics["hang_total_ms"] == 250.000001 + 700 + 700.000001)
  }

  @Test func `a hang counts from the actual begin, a frame from its vsync`() {
    let metrics = metrics([255], end: 260, late: 5, realClock: true)
    #expect(metrics["hang_count"] == 0 && metrics["frame_ms_max"] == 255)
    #expect(metrics["wakeup_late_us_p50"] == 5000 && metrics["wakeup_late_us_max"] == 5000)
  }

  @Test func `a virtual clock has no wake-up lateness`() {
    #expect(metrics([5], end: 10)["wakeup_late_us_p50"] == nil)
  }

  @Test func `the age of what is on the screen, at every vsync`() throws {
    // Shown: frame 0 at 1, frame 1 at 4. Ages at 1...4: 10, 20, 30 (still frame 0), 30 (frame 1).
    let metrics = metrics([5, 25], end: 40)
    #expect(metrics["vsync_age_ms_p50"] == 25 && metrics["vsync_age_ms_max"] == 30)
    let p90 = try #require(metrics["vsync_age_ms_p90"])
    #expect(abs(p90 - 30) < 1e-9)
  }

  @Test func `a hang shows in the ages, not in the frame times`() throws {
    let quiet = Array(repeating: 5.0, count: 1740)
    let metrics = metrics(quiet + [2600], end: 20_000)
    #expect(metrics["frame_ms_p99"] == 5)
    let age = try #require(metrics["vsync_age_ms_p90"])
    #expect(age > 600)
  }

  @Test func `frame times are exact percentiles`() throws {
    let metrics = metrics([1, 2, 3, 4, 5], end: 50)
    #expect(metrics["frame_ms_p50"] == 3 && metrics["frame_ms_max"] == 5)
    let p90 = try #require(metrics["frame_ms_p90"])
    #expect(abs(p90 - 4.6) < 1e-9)
  }

  @Test func `the worst second slides`() {
    // At 10 Hz: 8 to 10 and 12 to 14 are missed, across the boundary between two whole seconds.
    let lengths = Array(repeating: 1.0, count: 7) + [400, 400] + Array(repeating: 1.0, count: 15)
    let metrics = metrics(lengths, end: 3000, rate: RefreshRate(10))
    #expect(metrics["worst_second_dropped_pct"] == 60)
    #expect(metrics["dropped_frames"] == 6)
  }

  @Test func `a run below a second is its own worst second`() {
    #expect(metrics([35], end: 40)["worst_second_dropped_pct"] == 75)
  }

  @Test func `the 1 % low is weighted by time, not by count`() throws {
    // 99 intervals of 10 ms and one of 20: the longest makes up 20 of 1010 ms, more than 1 %.
    let one = metrics(Array(repeating: 5, count: 99) + [15], end: 1010)
    #expect(one["low_1pct_fps"] == 50)
    // 20 of 2010 ms is less than 1 %: the next longest is reached.
    let less = metrics(Array(repeating: 5, count: 199) + [15], end: 2010)
    #expect(less["low_1pct_fps"] == 100)
  }

  @Test func `the price of a run matches a calculation by hand`() {
    var run = TestRun([.at([0, 0, 0, 0])], duration: .ms(20))
    run.arriveAll()
    for item in 0..<4 { run.items.done(0, item, at: .ms(1)) }
    run.frames.begin(vsync: 0, wokeAt: .zero)
    run.frames.waiting(items: 4)
    for (phase, span) in [(Phase.post, 1.0), (.drain, 2), (.release, 1), (.lockWait, 0.5)] {
      run.frames.spend(.ms(span), on: phase)
    }
    run.frames.spend(.ms(0.25), on: .lockWait)
    _ = run.frames.end(at: .ms(5))
    run.frames.frame(1, to: .ms(11), at: run.rate)
    run.totals.hops = 6
    run.totals.publishing = .ms(1.75)
    run.totals.mainCPU = .ms(7)
    run.totals.backgroundCPU = .ms(3)
    run.totals.contextSwitches = 12
    for age in [0, 0, 4.0, 8] { run.totals.stateAges.append(.ms(age)) }
    let metrics = RunMetrics(run.finish())
    #expect(metrics["handoff_us_per_item"] == 500 && metrics["hops_per_item"] == 1.5)
    #expect(metrics["lock_wait_ms_total"] == 0.75 && metrics["lock_wait_ms_max"] == 0.5)
    #expect(metrics["publish_ms_total"] == 1.75 && metrics["queue_depth_max"] == 4)
    #expect(metrics["main_cpu_ms"] == 7 && metrics["background_cpu_ms"] == 3)
    #expect(metrics["context_switches"] == 12 && metrics["order_violations"] == 0)
    #expect(metrics["state_age_ms_p50"] == 2 && metrics["state_age_ms_max"] == 8)
    #expect(metrics["exclusion_violations"] == 0 && metrics["status"] == nil, "no number")
  }

  @Test func `the status is printed as a word`() {
    let interrupted = RunMetrics(TestRun().finish(at: .ms(5), interrupted: true))
    #expect(MetricCatalog.metric("status")?.value(interrupted)?.description == "interrupted")
  }
}
