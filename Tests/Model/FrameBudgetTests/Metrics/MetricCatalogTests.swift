import FrameBudget
import Testing

@Suite struct MetricCatalogTests {
  /// The columns in the order of the files, with their units.
  private static let columns: [(names: String, unit: String)] = [
    ("status", ""),
    ("expected_frames presented_frames dropped_frames", "count"), ("dropped_frames_pct", "%"),
    ("drops_wakeup drops_lock drops_logic drops_drain drops_post drops_reads", "count"),
    ("drops_render over_budget_frames frozen_frames hitch_count", "count"),
    ("hitch_total_ms hitch_max_ms", "ms"), ("hitch_ratio_ms_per_s", "ms/s"),
    ("hang_count", "count"), ("hang_total_ms", "ms"), ("longest_gap_vsyncs", "vsyncs"),
    ("frame_ms_p50 frame_ms_p90 frame_ms_p95 frame_ms_p99 frame_ms_p999 frame_ms_max", "ms"),
    ("vsync_age_ms_p50 vsync_age_ms_p90 vsync_age_ms_p95 vsync_age_ms_p99", "ms"),
    ("vsync_age_ms_p999 vsync_age_ms_max", "ms"), ("worst_second_dropped_pct", "%"),
    ("average_fps low_1pct_fps", "frames/s"), ("items_done items_pending items_cancelled", "count"),
    ("throughput_per_s", "items/s"), ("makespan_ms", "ms"),
    ("item_latency_ms_p50 item_latency_ms_p99 item_latency_ms_max", "ms"),
    ("response_ms_p50 response_ms_p99 response_ms_max", "ms"), ("responses_late", "count"),
    ("state_age_ms_p50 state_age_ms_p99 state_age_ms_max", "ms"),
    ("main_logic_ms_per_frame", "ms"), ("handoff_us_per_item", "µs"), ("hops_per_item", "count"),
    ("lock_wait_ms_total lock_wait_ms_max publish_ms_total", "ms"), ("queue_depth_max", "count"),
    ("main_cpu_ms background_cpu_ms", "ms"), ("context_switches", "count"),
    ("order_violations exclusion_violations", "count"),
    ("wakeup_late_us_p50 wakeup_late_us_p99 wakeup_late_us_max", "µs"),
    ("drops_preempted drops_machine disturbed", "count"),
    ("responses_open", "count"),
    ("item_latency_ms_p50_is_bound item_latency_ms_p99_is_bound item_latency_ms_max_is_bound", ""),
    ("response_ms_p50_is_bound response_ms_p99_is_bound response_ms_max_is_bound", ""),
    ("drops_compositor drops_stuffed", "count"),
    ("present_ms_p50 present_ms_p99 present_ms_max", "ms"),
    ("deadline_missed_frames stuffed_frames", "count"),
    ("content_ms_p50 content_ms_p95 content_ms_max", "ms"),
    ("content_ms_p50_is_bound content_ms_p95_is_bound content_ms_max_is_bound", ""),
    ("late_begins", "count"),
    ("frame_overrun_ms_p50 frame_overrun_ms_p90 frame_overrun_ms_p95 frame_overrun_ms_p99", "ms"),
    ("frame_cpu_ms_p50 frame_cpu_ms_p90 frame_cpu_ms_p95 frame_cpu_ms_p99", "ms"),
    ("jankstats_frames", "count"), ("slow_frames_pct frozen_frames_pct", "%"),
    ("hangs_micro hangs_full hangs_severe long_tasks", "count"), ("total_blocking_ms", "ms"),
    ("build_ms_avg build_ms_p90 build_ms_p99 build_ms_max", "ms"),
    ("build_over_budget_frames", "count"),
    ("raster_ms_avg raster_ms_p90 raster_ms_p99 raster_ms_max", "ms"),
    ("raster_over_budget_frames", "count"), ("low_0_1pct_fps", "frames/s"),
    ("animation_error_ms_avg animation_error_ms_p99 animation_error_ms_max", "ms"),
    ("interactions", "count"),
    ("inp_ms inp_input_delay_ms inp_processing_ms inp_presentation_ms", "ms"),
    ("inp_ms_is_bound", ""), ("items_shown results_waiting items_backlog", "count"),
    ("items_replaced incomplete_frames", "count"),
    ("part_age_ms_max parts_left_ms handoff_ms_total", "ms"),
  ]

  @Test func `names, order and units are the published ones`() {
    let expected = Self.columns.flatMap { columns in
      columns.names.split(separator: " ").map { "\($0) [\(columns.unit)]" }
    }
    #expect(MetricCatalog.all.map { "\($0.name) [\($0.unit.rawValue)]" } == expected)
  }

  @Test func `metric names are unique`() {
    #expect(Set(MetricCatalog.all.map(\.name)).count == MetricCatalog.all.count)
  }

  @Test func `every metric has a formula, and is found by its name`() {
    for metric in MetricCatalog.all {
      #expect(!metric.formula.isEmpty && !metric.formula.hasSuffix("."), "\(metric.name)")
      #expect(MetricCatalog.metric(metric.name)?.formula == metric.formula)
    }
    #expect(MetricCatalog.metric("jank") == nil)
  }

  @Test
  func `metrics of a workload have the summary's order, with its additions last`() {
    let items = MetricCatalog.items.map(\.name)
    #expect(MetricCatalog.all.map(\.name).filter(items.contains) == items)
    #expect(
      items.prefix(12).last == "responses_late" && items.dropFirst(12).first == "responses_open")
  }

  @Test func `columns of the first schema keep their positions, and all others follow`() {
    let first = MetricCatalog.added(by: 1)
    #expect(first.map(\.name).last == "wakeup_late_us_max")
    #expect(first.count == 66, "\(first.count)")
    let names = (1...MetricCatalog.schema).flatMap { MetricCatalog.added(by: $0).map(\.name) }
    #expect(MetricCatalog.all.map(\.name) == names)
  }

  @Test func `every lower bound has its metric`() {
    let bounds = MetricCatalog.all.map(\.name).filter { $0.hasSuffix("_is_bound") }
    let metrics = MetricCatalog.all.map(\.name).filter { bounds.contains(Metric.bound(of: $0)) }
    #expect(bounds == metrics.map(Metric.bound) && bounds.count == 10)
  }

  @Test func `each change of meaning names existing metrics and says what changed`() {
    for change in MetricCatalog.meaningChanges {
      #expect((2...MetricCatalog.schema).contains(change.schema) && !change.change.isEmpty)
      for metric in change.metrics { #expect(MetricCatalog.metric(metric.name) != nil) }
    }
    #expect(MetricCatalog.changed(among: [2], of: .runs) == [])
    #expect(MetricCatalog.changed(among: [1], of: .runs) == [])
    #expect(MetricCatalog.changed(among: [1, 2], of: .runs).contains("response_ms_p99"))
    #expect(!MetricCatalog.changed(among: [1, 2], of: .runs).contains("frame_ms_p99"))
    #expect(!MetricCatalog.changed(among: [1, 2], of: .imports).contains("response_ms_p99"))
  }

  @Test func `higher is better for frames shown and items done, lower for all other metrics`() {
    let higher = MetricCatalog.all.filter { $0.direction == .higherIsBetter }.map(\.name)
    #expect(
      higher == [
        "expected_frames", "presented_frames", "average_fps", "low_1pct_fps", "items_done",
        "throughput_per_s", "low_0_1pct_fps", "interactions", "items_shown",
      ])
  }

  @Test
  func `ratings have Apple's bands for hitches and Web Vitals' bands for INP`()
    throws
  {
    let banded = MetricCatalog.all.filter { $0.bands != nil }
    #expect(
      banded.map(\.name) == ["hitch_ratio_ms_per_s"]
        + ["p50", "p90", "p95", "p99"].map { "frame_overrun_ms_\($0)" } + ["inp_ms"])
    #expect(banded.dropFirst().dropLast().allSatisfy { $0.bands == .deadline })
    let inp = try #require(Metric.inp.bands)
    #expect([200, 208, 500, 504].map { inp.band(of: $0) } == [.good, .fair, .fair, .poor])
    let bands = try #require(Metric.hitchRatio.bands)
    #expect([4.999, 5, 9.999, 10].map { bands.band(of: $0) } == [.good, .fair, .fair, .poor])
  }

  @Test func `every cause and every phase has a column`() {
    let drops = MetricCatalog.all.map(\.name).filter { $0.hasPrefix("drops_") }
    #expect(Set(drops) == Set(Cause.allCases.map { Metric.drops(by: $0).name }))
    #expect(drops.count == Cause.allCases.count)
    let spans = FrameColumn.all.filter { $0.unit == .milliseconds }.map(\.name)
    #expect(Set(spans) == Set(Phase.allCases.map { FrameColumn.span($0).name }))
    #expect(spans.count == Phase.allCases.count)
  }

  @Test func `an empty run has zeros and empty cells, never a sentinel`() {
    let metrics = RunMetrics(TestRun().finish(at: .zero))
    for metric in MetricCatalog.all {
      let text = metric.value(metrics)?.description
      #expect(text == nil || text == "0" || text == "complete", "\(metric.name)")
    }
  }

  @Test(
    arguments: [
      (.count(3), "3"), (.real(16.666666666), "16.666667"), (.real(2), "2"), (.text("ok"), "ok"),
      (.real(0.0000001), "0"), (.real(1234.000001), "1234.000001"),
    ] as [(MetricValue, String)])
  func `a value is written with at most six decimals`(value: MetricValue, text: String) {
    #expect(value.description == text)
  }
}
