import FrameBudget
@testable import FrameBudgetCaptures
import Testing

@testable import FrameBudgetLearning

/// Timers that are set again by their own callbacks.
struct ChainedTimerTests {
  /// Twelve callbacks with calls of `sharpen` of 40, 60, 80 or 100 ms, between 5 ms of `show` before and behind. A chain is due
  /// 300 ms after a callback has ended, else each 400 ms.
  private static func recording(
    isChain: Bool, format: RecordingFormat = .chrome, pause: Double = 0
  ) -> Recording {
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var (posts, due) = ([RecordedPost](), 10.0)
    for number in 0..<12 {
      let length = Double(40 + 20 * (number % 4))
      let (begin, end) = (due + 0.5, due + 10.5 + length)
      posts.append(
        RecordedPost(slice: slices.count, instant: .ms(due), origin: nil, isTimer: true))
      slices += [("show", begin, end, 0), ("sharpen", begin + 5, begin + 5 + length, 1)]
      due = isChain ? end + 300 : due + 400
      if number == 3 { due += pause }
    }
    return .slices(
      slices,
      frames: (0..<360).map { vsync in
        let at = Double(vsync) * 50 / 3
        return RecordedFrame(vsync: .ms(at), presented: .ms(at + 10), verdict: .shown)
      }, format: format, posts: posts)
  }

  private func learn(_ recording: Recording) throws -> LearnedScenario {
    try #require(LearnedScenario(recording, name: "page", source: "page.json"))
  }

  /// A pause of a second says nothing of the others.
  @Test(arguments: [0.0, 1000])
  func `fire earlier if a service of their callback moves`(pause: Double) throws {
    let learned = try learn(Self.recording(isChain: true, pause: pause))
    let timer = try #require(
      learned.chainedTimers.first { learned.services[$0.service] == "sharpen" })
    // 310.5 ms and the call, of 70 ms in the mean.
    #expect(timer.period == 380_500_000 && timer.time == 70_000_000)
    let replay = try Replay(learned)
    let text = LearnReport(
      learned, ReplayComparison(learned, try replay.run("as-recorded")),
      moves: [.init(service: "sharpen", log: try replay.run("move-sharpen"), range: nil)]
    ).text
    #expect(
      text.contains(
        "- The timer that calls sharpen is set again by its own callback. If the service runs elsewhere, it fires every 311 ms "
          + "instead of 381, 23 % more often than a prediction says."), "\(text)")
    #expect(text.contains("- What a Worker returns is decoded on the main thread"))
  }

  @Test func `are no timers that fire at multiples of their delay`() throws {
    #expect(try learn(Self.recording(isChain: false)).chainedTimers.isEmpty)
  }

  @Test func `say nothing of Workers where there are none`() throws {
    let learned = try learn(Self.recording(isChain: true, format: .perfetto))
    let replay = try Replay(learned)
    let text = LearnReport(
      learned, ReplayComparison(learned, try replay.run("as-recorded")),
      moves: [.init(service: "sharpen", log: try replay.run("move-sharpen"), range: nil)]
    ).text
    #expect(!text.contains("Worker"))
  }
}
