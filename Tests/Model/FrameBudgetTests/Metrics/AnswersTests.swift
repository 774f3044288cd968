import FrameBudget
import Testing

/// The answers that the glossary gives for the main thread at 60 Hz, through the ledger.
@Suite struct AnswersTests {
  /// Runs steps of 2.6 ms and `render` per frame on one thread; `steps` gives their number for each frame.
  private func run(_ steps: [Int], render: Double) -> RunMetrics {
    let rate = RefreshRate(60)
    var ledger = FrameLedger(
      refresh: rate, duration: .seconds(10), detail: .summary, hasRealClock: false)
    var vsync = 0
    for count in steps {
      let logic = TimeSpan.ms(2.6) * count
      let end = rate.vsync(vsync) + logic + .ms(render)
      vsync = ledger.frame(vsync, to: end, at: rate, [(.logic, logic), (.render, .ms(render))])
    }
    let end = rate.vsync(vsync)
    let plan = Scenario.with([]).onMain()
    let log = RunLog(
      plan, engine: .virtual, duration: end.sinceZero, warmupFrames: 0,
      frames: ledger.finish(at: end), items: [], totals: RunTotals(), interrupted: false)
    #expect(log.violations == [])
    return RunMetrics(log)
  }

  struct Answer: Sendable {
    let steps: [Int]
    let render: Double
    let frames: Int
    let vsyncs: Int
    let dropped: Int
    let hitches: Int
    let hitchMs: String
    let ratio: String
    let endMs: String
  }

  private static let quiet = Array(repeating: 0, count: 60)

  /// 1000 steps, the given number in each frame.
  private static func spread(_ perFrame: Int) -> [Int] {
    stride(from: 0, to: 1000, by: perFrame).map { min(perFrame, 1000 - $0) }
  }

  @Test(arguments: [
    Answer(
      steps: quiet + [1000] + quiet, render: 0, frames: 121, vsyncs: 276, dropped: 155, hitches: 1,
      hitchMs: "2583.333", ratio: "561.594", endMs: "4600"),
    Answer(
      steps: quiet + [1000] + quiet, render: 4, frames: 121, vsyncs: 277, dropped: 156, hitches: 1,
      hitchMs: "2600", ratio: "563.177", endMs: "4616.667"),
    Answer(
      steps: spread(6), render: 0, frames: 167, vsyncs: 167, dropped: 0, hitches: 0,
      hitchMs: "0", ratio: "0", endMs: "2783.333"),
    Answer(
      steps: spread(7), render: 0, frames: 143, vsyncs: 285, dropped: 142, hitches: 142,
      hitchMs: "2366.667", ratio: "498.246", endMs: "4750"),
    Answer(
      steps: spread(12), render: 0, frames: 84, vsyncs: 167, dropped: 83, hitches: 83,
      hitchMs: "1383.333", ratio: "497.006", endMs: "2783.333"),
    Answer(
      steps: spread(4), render: 4, frames: 250, vsyncs: 250, dropped: 0, hitches: 0,
      hitchMs: "0", ratio: "0", endMs: "4166.667"),
    Answer(
      steps: spread(5), render: 4, frames: 200, vsyncs: 400, dropped: 200, hitches: 200,
      hitchMs: "3333.333", ratio: "500", endMs: "6666.667"),
    // 1000 and 2500 files at once beside 10 ms of drawing, the latter in a run of 10 s.
    Answer(
      steps: [1000], render: 10, frames: 1, vsyncs: 157, dropped: 156, hitches: 1,
      hitchMs: "2600", ratio: "993.631", endMs: "2616.667"),
    Answer(
      steps: [2500] + Array(repeating: 0, count: 209), render: 10, frames: 210, vsyncs: 600,
      dropped: 390, hitches: 1, hitchMs: "6500", ratio: "650", endMs: "10000"),
  ])
  func `the main thread drops the frames that the glossary counts`(answer: Answer) {
    let metrics = run(answer.steps, render: answer.render)
    #expect(metrics["presented_frames"] == Double(answer.frames))
    #expect(metrics["expected_frames"] == Double(answer.vsyncs))
    #expect(metrics["dropped_frames"] == Double(answer.dropped))
    #expect(metrics["drops_logic"] == Double(answer.dropped))
    #expect(metrics["hitch_count"] == Double(answer.hitches))
    let text = { (name: String) in Decimal.text(metrics[name] ?? .nan, places: 3) }
    #expect(text("hitch_total_ms") == answer.hitchMs)
    #expect(text("hitch_ratio_ms_per_s") == answer.ratio)
    #expect(Decimal.text(metrics.log.duration.inMilliseconds, places: 3) == answer.endMs)
  }

  @Test func `beside 10 ms of drawing two files fit into a frame, three do not`() {
    #expect(run([2], render: 10)["dropped_frames"] == 0)
    #expect(run([3], render: 10)["dropped_frames"] == 1)
  }
}
