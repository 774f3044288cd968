import FrameBudget
import FrameBudgetSimulation
import Testing

/// Results that can be calculated by hand, exact to the count and the nanosecond: 60 Hz, no costs except the work itself.
@Suite struct AnswersTests {
  /// A row of the table of answers.
  struct Answer: Sendable, CustomTestStringConvertible {
    let render: Int64
    /// The number of files that start in each frame; nil for one block, with 60 quiet frames before and after.
    let perFrame: Int?
    let frames: Int
    let vsyncs: Int
    let dropped: Int
    let hitches: Int
    let hitchTotal: Double
    let ratio: Double
    let ends: Double

    var testDescription: String { "r = \(render), \(perFrame.map(String.init) ?? "one block")" }
  }

  static let answers = [
    Answer(
      render: 0, perFrame: nil, frames: 121, vsyncs: 276, dropped: 155, hitches: 1,
      hitchTotal: 2583.333, ratio: 561.594, ends: 4600.000),
    Answer(
      render: 4, perFrame: nil, frames: 121, vsyncs: 277, dropped: 156, hitches: 1,
      hitchTotal: 2600.000, ratio: 563.177, ends: 4616.667),
    Answer(
      render: 0, perFrame: 6, frames: 167, vsyncs: 167, dropped: 0, hitches: 0,
      hitchTotal: 0, ratio: 0, ends: 2783.333),
    Answer(
      render: 0, perFrame: 7, frames: 143, vsyncs: 285, dropped: 142, hitches: 142,
      hitchTotal: 2366.667, ratio: 498.246, ends: 4750.000),
    Answer(
      render: 0, perFrame: 12, frames: 84, vsyncs: 167, dropped: 83, hitches: 83,
      hitchTotal: 1383.333, ratio: 497.006, ends: 2783.333),
    Answer(
      render: 4, perFrame: 4, frames: 250, vsyncs: 250, dropped: 0, hitches: 0,
      hitchTotal: 0, ratio: 0, ends: 4166.667),
    Answer(
      render: 4, perFrame: 5, frames: 200, vsyncs: 400, dropped: 200, hitches: 200,
      hitchTotal: 3333.333, ratio: 500.000, ends: 6666.667),
  ]

  @Test(arguments: answers)
  func `a thousand files on the main thread drop as many frames as can be worked out`(
    answer: Answer
  ) {
    let metrics = RunMetrics(Self.run(answer))
    #expect(metrics.log.status == .complete, "\(metrics.log.violations)")
    #expect(metrics.log.frames.begins.count == answer.frames)
    #expect(metrics.frames.presented == answer.frames)
    #expect(metrics.frames.expected == answer.vsyncs)
    #expect(metrics.frames.dropped == answer.dropped)
    #expect(metrics["drops_logic"] == Double(answer.dropped))
    #expect(metrics.frames.hitches == answer.hitches)
    #expect(Self.thousandths(metrics["hitch_total_ms"]) == answer.hitchTotal)
    #expect(Self.thousandths(metrics["hitch_ratio_ms_per_s"]) == answer.ratio)
    #expect(Self.thousandths(metrics.log.duration.inMilliseconds) == answer.ends)
    #expect(metrics.items.done == 1000)
  }

  @Test(arguments: answers)
  func `each file is done to the nanosecond when it should be`(answer: Answer) {
    let log = Self.run(answer)
    let refresh = RefreshRate(60)
    let file: Int64 = 2_600_000
    var begins = 0
    for item in 0..<1000 {
      let place = item % (answer.perFrame ?? 1000)
      if answer.perFrame != nil, place == 0, item > 0 { begins += 1 }
      let vsync = answer.perFrame == nil ? 60 : Int(log.frames.begins[begins])
      let expected = refresh.vsync(vsync).nanoseconds + Int64(place + 1) * file
      #expect(log.items[0].completions[item] == expected)
    }
  }

  /// Runs a row up to the vsync at which it ends.
  private static func run(_ answer: Answer) -> RunLog {
    let arrival = Arrival.once(1000, start: answer.perFrame == nil ? .seconds(1) : .zero)
    let scenario = Scenario.files(
      arrival, render: .milliseconds(answer.render),
      duration: RefreshRate(60).vsync(answer.vsyncs).sinceZero)
    var arrangement = Arrangement.onMain(scenario)
    if let batch = answer.perFrame { arrangement.admission = .batch(batch, every: .zero) }
    return scenario.run(arrangement)
  }

  private static func thousandths(_ value: Double?) -> Double? {
    value.map { ($0 * 1000).rounded() / 1000 }
  }
}
