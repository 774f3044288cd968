import FrameBudget
import Testing

@Suite struct ItemMetricsTests {
  @Test func `latency, makespan and throughput match a calculation by hand`() throws {
    var run = TestRun([.at([100, 200, 300])], duration: .seconds(2))
    run.arriveAll()
    for (item, done) in [150, 280, 420].enumerated() {
      run.items.done(0, item, at: .ms(Double(done)))
    }
    let metrics = RunMetrics(run.finish())
    #expect(metrics["items_done"] == 3 && metrics["items_pending"] == 0)
    #expect(metrics["items_cancelled"] == 0)
    #expect(metrics["throughput_per_s"] == 1.5)
    #expect(metrics["makespan_ms"] == 320)
    #expect(metrics["item_latency_ms_p50"] == 80 && metrics["item_latency_ms_max"] == 120)
    let p99 = try #require(metrics["item_latency_ms_p99"])
    #expect(abs(p99 - 119.2) < 1e-9, "80 + 0.98 * 40")
    #expect(metrics["response_ms_p50"] == nil && metrics["responses_late"] == nil)
  }

  @Test func `pending items leave the makespan empty`() {
    var run = TestRun([.at([100, 200])])
    run.arriveAll()
    run.items.done(0, 0, at: .ms(150))
    run.items.pending(0, 1)
    let metrics = RunMetrics(run.finish())
    #expect(metrics["makespan_ms"] == nil && metrics["items_pending"] == 1)
    #expect(metrics["item_latency_ms_p50"] == 425, "between 50 ms and at least 800")
  }

  @Test func `cancelled items are neither done nor pending`() {
    var run = TestRun([.at([100, 200], respondWithin: .ms(50))])
    run.arriveAll()
    run.items.done(0, 0, at: .ms(110))
    run.items.resultRan(0, 0)
    run.items.frameShown(at: .ms(120))
    run.items.cancelled(0, 1)
    let metrics = RunMetrics(run.finish())
    #expect(metrics["items_cancelled"] == 1 && metrics["makespan_ms"] == 10)
    #expect(metrics["responses_late"] == 0, "no user waits for cancelled items")
  }

  @Test func `without items, counts are zero and other item metrics are empty`() {
    let metrics = RunMetrics(TestRun().finish())
    for name in ["items_done", "items_pending", "items_cancelled", "throughput_per_s"] {
      #expect(metrics[name] == 0, "\(name)")
    }
    for name in [
      "makespan_ms", "item_latency_ms_p50", "item_latency_ms_max", "response_ms_max",
      "responses_late", "hops_per_item", "handoff_us_per_item", "state_age_ms_p50",
    ] { #expect(metrics[name] == nil, "\(name)") }
  }

  /// Four items at 0 ms that may take 100 ms, in a run of one second with vsyncs every 10 ms.
  private func responses(shown: [Double?], end: Double = 1000) -> RunMetrics {
    var run = TestRun([.at(Array(repeating: 0, count: shown.count), respondWithin: .ms(100))])
    run.arriveAll()
    for (item, shown) in shown.enumerated() {
      guard let shown else { run.items.pending(0, item); continue }
      run.items.done(0, item, at: .ms(1))
      run.items.resultRan(0, item)
      run.items.frameShown(at: .ms(shown))
    }
    return RunMetrics(run.finish(at: .ms(end)))
  }

  @Test func `response metrics match a calculation by hand`() {
    let metrics = responses(shown: [50, 100, 110, nil])
    #expect(metrics["response_ms_p50"] == 105 && metrics["response_ms_max"] == 1000)
    #expect(metrics["responses_late"] == 2, "one broke its limit, one is open past it")
  }

  @Test func `an open response is late once its time has passed`() {
    #expect(responses(shown: [nil], end: 100)["responses_late"] == 0)
    #expect(responses(shown: [nil], end: 100.000001)["responses_late"] == 1)
  }

  @Test func `a result that the last vsync did not show is still open`() {
    let metrics = responses(shown: [50, 60], end: 55)
    #expect(metrics["response_ms_max"] == 50 && metrics["responses_late"] == 0)
    let late = responses(shown: [50, 210], end: 205)
    #expect(late["response_ms_max"] == 205 && late["responses_late"] == 1)
    let shownAtTheEnd = responses(shown: [200], end: 200)
    #expect(shownAtTheEnd["response_ms_max"] == 200)
  }

  @Test func `each workload has its own metrics, and the total covers all items`() throws {
    var run = TestRun(
      [.at([0, 0], name: "file"), .at([10], respondWithin: .ms(5), name: "tap")])
    run.arriveAll()
    run.items.done(0, 0, at: .ms(100))
    run.items.done(0, 1, at: .ms(200))
    run.items.done(1, 0, at: .ms(300))
    run.items.resultRan(1, 0)
    run.items.frameShown(at: .ms(310))
    let metrics = RunMetrics(run.finish())
    #expect(metrics.workloads.map(\.name) == ["file", "tap"])
    #expect(metrics["makespan_ms"] == 300 && metrics["item_latency_ms_p50"] == 200)
    let file = try #require(metrics.workloads.first?.items)
    let tap = try #require(metrics.workloads.last?.items)
    let value = { (name: String, items: ItemMetrics) in
      MetricCatalog.items.first { $0.name == name }?.value(items)?.number
    }
    #expect(value("item_latency_ms_p50", file) == 150 && value("makespan_ms", file) == 200)
    #expect(value("responses_late", file) == nil && value("responses_late", tap) == 1)
    #expect(value("response_ms_p50", tap) == 300 && value("items_done", tap) == 1)
  }
}
