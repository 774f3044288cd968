import FrameBudget
import Testing

/// Items that are not done and answers that have not come when a run ends: at least the wait so far, above all others.
@Suite struct OpenWaitsTests {
  static let places = [("p50", 0.5), ("p99", 0.99), ("max", 1.0)]

  /// Taps every 100 ms that may take 50 ms, in a run of one second; all that arrive behind the first `answered` hang.
  private func hang(answered: Int) -> RunMetrics {
    let taps = (0..<10).map { Double($0) * 100 }
    var run = TestRun([.at(taps, respondWithin: .ms(50))])
    run.arriveAll()
    for item in taps.indices {
      guard item < answered else { run.items.pending(0, item); continue }
      run.items.done(0, item, at: .ms(taps[item] + 1))
      run.items.resultRan(0, item)
      run.items.frameShown(at: .ms(taps[item] + 10))
    }
    return RunMetrics(run.finish())
  }

  @Test func `a hang with one answer to ten taps has long response times`() throws {
    let metrics = hang(answered: 1)
    // Nine wait: 100, 200, ... 900 ms so far.
    #expect(metrics["responses_open"] == 9 && metrics["responses_late"] == 9)
    #expect(metrics["response_ms_p50"] == 450 && metrics["response_ms_p50_is_bound"] == 1)
    let p99 = try #require(metrics["response_ms_p99"])
    #expect(abs(p99 - 891) < 1e-9 && metrics["response_ms_p99_is_bound"] == 1)
    #expect(metrics["response_ms_max"] == 900 && metrics["response_ms_max_is_bound"] == 1)
    #expect(metrics["item_latency_ms_p50_is_bound"] == 1 && metrics["items_pending"] == 9)
  }

  @Test func `a percentile below all open waits is exact`() {
    let metrics = hang(answered: 9)
    #expect(metrics["response_ms_p50"] == 10 && metrics["response_ms_p50_is_bound"] == 0)
    #expect(metrics["response_ms_p99_is_bound"] == 1, "it interpolates with the open one")
    #expect(metrics["response_ms_max"] == 100 && metrics["response_ms_max_is_bound"] == 1)
    let all = hang(answered: 10)
    #expect(all["responses_open"] == 0)
    for (name, _) in Self.places {
      #expect(all["response_ms_\(name)_is_bound"] == 0)
      #expect(all["item_latency_ms_\(name)_is_bound"] == 0)
    }
  }

  @Test
  func `a response counts from the nanosecond at which it is due`() {
    func open(for span: Double) -> RunMetrics {
      var run = TestRun([.at([0], respondWithin: .ms(100))])
      run.arriveAll()
      run.items.pending(0, 0)
      return RunMetrics(run.finish(at: .ms(span)))
    }
    let young = open(for: 99.999999)
    #expect(young["responses_open"] == 0 && young["response_ms_max"] == nil)
    #expect(young["response_ms_max_is_bound"] == nil && young["responses_late"] == 0)
    #expect(young["item_latency_ms_max"] == 99.999999 && young["item_latency_ms_max_is_bound"] == 1)
    let due = open(for: 100)
    #expect(due["responses_open"] == 1 && due["response_ms_max"] == 100)
    #expect(due["responses_late"] == 0, "it may still have come in time")
  }

  @Test func `a cancelled item no longer waits`() {
    var run = TestRun([.at([0, 0], respondWithin: .ms(10))])
    run.arriveAll()
    run.items.cancelled(0, 0)
    run.items.done(0, 1, at: .ms(2))
    run.items.resultRan(0, 1)
    run.items.frameShown(at: .ms(10))
    let metrics = RunMetrics(run.finish())
    #expect(metrics["responses_open"] == 0 && metrics["response_ms_max"] == 10)
    #expect(metrics["item_latency_ms_max"] == 2 && metrics["item_latency_ms_max_is_bound"] == 0)
  }

  @Test func `without waits, nothing is open and no percentile is a bound`() {
    let metrics = RunMetrics(TestRun().finish())
    for (name, _) in Self.places {
      #expect(metrics["response_ms_\(name)_is_bound"] == nil)
      #expect(metrics["item_latency_ms_\(name)_is_bound"] == nil)
    }
    #expect(metrics["responses_open"] == nil)
  }

  @Test func `a load under which a response never comes is too much`() {
    let taps = [Workload.at([0, 100], respondWithin: .ms(50))]
    func overload(end: Double) -> Overload? {
      var run = TestRun(taps, duration: .ms(end))
      _ = run.frames(Array(repeating: 1, count: Int(end / 10)))
      run.arriveAll()
      run.items.done(0, 0, at: .ms(1))
      run.items.resultRan(0, 0)
      run.items.frameShown(at: .ms(10))
      run.items.pending(0, 1)
      return Overload.of(RunMetrics(run.finish()))
    }
    #expect(overload(end: 119) == nil, "it has not waited for longer than the first")
    #expect(overload(end: 160) == .backlog(.unfinished, of: "file", left: 1, results: 0))
  }

  /// A made-up item, in milliseconds.
  private struct Made {
    let arrival: Double
    var done: Double?
    var shown: Double?
    var isCancelled = false
  }

  private static func made(_ random: inout RandomStream, end: Double) -> [Made] {
    // In some runs everything is done, in others nothing.
    let ending = random.unit() * 1.4 - 0.2
    return (0..<Int(random.next() % 40)).map { _ in
      var item = Made(arrival: (random.unit() * 900).rounded())
      guard random.unit() < ending else {
        item.isCancelled = random.unit() < 0.2
        return item
      }
      let done = (item.arrival + random.unit() * 300).rounded()
      if done > end { return item }
      item.done = done
      if random.unit() < 0.9 { item.shown = ((done + random.unit() * 100) / 10).rounded(.up) * 10 }
      return item
    }.sorted { $0.arrival < $1.arrival }
  }

  private static func metrics(
    _ items: [Made], respondWithin: Double, end: Double
  ) -> RunMetrics {
    var run = TestRun([.at(items.map(\.arrival), respondWithin: .ms(respondWithin))])
    run.arriveAll()
    for (number, item) in items.enumerated() {
      if let done = item.done {
        run.items.done(0, number, at: .ms(done))
        if let shown = item.shown {
          run.items.resultRan(0, number)
          run.items.frameShown(at: .ms(shown))
        }
      } else if item.isCancelled {
        run.items.cancelled(0, number)
      } else {
        run.items.pending(0, number)
      }
    }
    return RunMetrics(run.finish(at: .ms(end)))
  }

  /// The rule, word for word: with the open ones above all others it is exact unless one of them takes part; then it
  /// is at least what it would be if all of them ended now.
  private static func expected(_ q: Double, ended: [Double], open: [Double]) -> (Double, Bool)? {
    let count = ended.count + open.count
    guard count > 0 else { return nil }
    let above = ended.sorted() + open.map { _ in Double.infinity }
    let endingNow = (ended + open).sorted()
    func quantile(_ sample: [Double]) -> Double {
      let place = q * Double(count - 1)
      let (low, high) = (sample[Int(place.rounded(.down))], sample[Int(place.rounded(.up))])
      return low == high ? low : low + (place - place.rounded(.down)) * (high - low)
    }
    let exact = quantile(above)
    return exact.isFinite ? (exact, false) : (quantile(endingNow), true)
  }

  @Test func `random items agree with the rule written down at length`() {
    var bounds = 0
    for seed in UInt64(0)..<3000 {
      var random = RandomStream(seed: seed, name: "open waits")
      let end = (900 + random.unit() * 100).rounded()
      let respondWithin = (random.unit() * 200).rounded() + 1
      let items = Self.made(&random, end: end)
      let metrics = Self.metrics(items, respondWithin: respondWithin, end: end)
      let lastVsync = (end / 10).rounded(.down) * 10
      let waiting = items.filter { !$0.isCancelled }
      let latencies = waiting.compactMap { item in item.done.map { $0 - item.arrival } }
      let unfinished = waiting.filter { $0.done == nil }.map { end - $0.arrival }
      let answers = waiting.compactMap { item -> Double? in
        guard let shown = item.shown, shown <= lastVsync else { return nil }
        return shown - item.arrival
      }
      let open = waiting.filter { $0.shown.map { $0 > lastVsync } ?? true }
        .map { end - $0.arrival }.filter { $0 >= respondWithin }
      #expect(metrics["responses_open"] == Double(open.count), "seed \(seed)")
      for (name, q) in Self.places {
        for (metric, expected) in [
          ("item_latency_ms_\(name)", Self.expected(q, ended: latencies, open: unfinished)),
          ("response_ms_\(name)", Self.expected(q, ended: answers, open: open)),
        ] {
          let found = metrics[metric]
          #expect(metrics["\(metric)_is_bound"] == expected.map { $0.1 ? 1 : 0 }, "seed \(seed)")
          #expect(abs((found ?? -1) - (expected?.0 ?? -1)) < 1e-9, "\(metric), seed \(seed)")
          if expected?.1 == true { bounds += 1 }
        }
      }
    }
    #expect(bounds > 1000, "the test is about bounds")
  }
}
