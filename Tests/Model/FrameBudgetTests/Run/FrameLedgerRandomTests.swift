import FrameBudget
import Testing

/// Thousands of random runs, compared with a naive account of the same frames beside the ledger.
@Suite struct FrameLedgerRandomTests {
  private static let rates = [
    RefreshRate(60), RefreshRate(120), RefreshRate(1000), RefreshRate(24000, over: 1001),
    RefreshRate(60000, over: 1001),
  ]

  /// One frame as in the definition.
  private struct Expected: Equatable {
    var begin: Int
    var shown: Int
    var work: Int64
  }

  private struct Trial {
    var frames: [Expected] = []
    var end = Instant.zero
    var log: FrameLog
  }

  /// Frames of random lengths, stopped at a random instant: within a frame, or between two.
  private func trial(_ rate: RefreshRate, seed: UInt64) -> Trial {
    var random = RandomStream(seed: seed, name: "frames")
    let period = rate.period.nanoseconds
    var ledger = FrameLedger(
      refresh: rate, duration: rate.vsync(400).sinceZero, detail: .frames,
      hasRealClock: seed % 2 == 0)
    var frames: [Expected] = []
    var vsync = 0
    for _ in 0..<Int(random.next() % 60) {
      let begin = rate.vsync(vsync)
      var now = begin
      if seed % 2 == 0, random.next() % 4 == 0 { now = now + span(&random, upTo: period) }
      ledger.begin(vsync: vsync, wokeAt: now)
      for phase in Phase.parts where random.next() % 3 == 0 {
        let length = span(&random, upTo: random.next() % 8 == 0 ? 5 * period : period / 2)
        ledger.spend(length, on: phase)
        now = now + length
      }
      // Mistakes are most likely exactly at a vsync, or a nanosecond beside it.
      if random.next() % 4 == 0 {
        now = max(
          now,
          rate.vsync(vsync + Int(random.next() % 3)) + .nanoseconds(Int64(random.next() % 3) - 1))
      }
      if random.next() % 40 == 0 { return cutOff(frames, ledger, vsync, at: now, rate) }
      var shown = vsync + 1
      while rate.vsync(shown) < now { shown += 1 }
      frames.append(Expected(begin: vsync, shown: shown, work: (now - begin).nanoseconds))
      vsync = ledger.end(at: now) ?? vsync
    }
    let end =
      max(frames.last.map { rate.vsync($0.begin) + .nanoseconds($0.work) } ?? .zero, .zero)
      + span(&random, upTo: 2 * period)
    return Trial(frames: frames, end: end, log: ledger.finish(at: end))
  }

  private func cutOff(
    _ frames: [Expected], _ ledger: consuming FrameLedger, _ vsync: Int, at end: Instant,
    _ rate: RefreshRate
  ) -> Trial {
    let frame = Expected(begin: vsync, shown: .max, work: (end - rate.vsync(vsync)).nanoseconds)
    return Trial(frames: frames + [frame], end: end, log: ledger.finish(at: end))
  }

  private func span(_ random: inout RandomStream, upTo limit: Int64) -> TimeSpan {
    .nanoseconds(Int64(random.next() % UInt64(limit)))
  }

  @Test(arguments: rates, 0..<400 as Range<UInt64>)
  func `the ledger agrees with the definition`(rate: RefreshRate, seed: UInt64) {
    let trial = trial(rate, seed: seed)
    let log = trial.log
    var last = 0
    while rate.vsync(last + 1) <= trial.end { last += 1 }
    var frames = trial.frames.filter { $0.begin < last }
    let next = trial.frames.last?.shown ?? 0
    if next < last {  // the due frame did not begin
      frames.append(
        Expected(begin: next, shown: .max, work: (trial.end - rate.vsync(next)).nanoseconds))
    }
    let lates = frames.map { min($0.shown, last + 1) - $0.begin - 1 }
    let presented = frames.count { $0.shown <= last }

    #expect(log.expected == last)
    #expect(log.begins.map(Int.init) == frames.map(\.begin))
    #expect(log.works == frames.map(\.work))
    #expect(log.presented == presented)
    #expect(log.begins.indices.map(log.lateVsyncs) == lates)
    #expect(last - presented == lates.reduce(0, +), "dropped = sum of late vsyncs")
    #expect(log.drops.map(\.frame) == lates.indices.filter { lates[$0] > 0 })
    #expect(log.drops.reduce(0) { $0 + $1.vsyncs } == last - presented)
    let sum = log.records.reduce(into: PhaseSpans()) { sum, record in
      for phase in Phase.allCases { sum[phase] += record.spans[phase] }
    }
    #expect(log.totals == sum)
  }
}
