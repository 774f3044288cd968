import FrameBudget
import Testing

@testable import FrameBudgetCaptures
@testable import FrameBudgetLearning

/// Recordings of a browser in which a task is posted while a key is handled.
struct InputDeferralTests {
  private static let period = 50.0 / 3
  private static let keys = [4, 16, 28, 40]

  /// A second at 60 Hz with a frame of 2 ms at each vsync. 3 ms behind those of `keys`, a key is handled for 5 ms, and posts a task
  /// of 4 ms, or none if it is nil whether it waits. The task begins behind the next frame if it `waits`, else behind the key. The
  /// next frame changes nothing unless the key `draws`.
  private static func recording(
    waits: (Int) -> Bool?, draws: (Int) -> Bool = { _ in true }
  ) -> Recording {
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var (frames, inputs) = ([RecordedFrame](), [TimeSpan]())
    var isWaiting = false
    func run(_ name: String, _ begin: Double, for length: Double) -> Double {
      slices += [("RunTask", begin, begin + length, 0), (name, begin, begin + length, 1)]
      return begin + length
    }
    for vsync in 0..<60 {
      let at = Double(vsync) * period
      let isDrawn = !keys.contains(vsync - 1) || draws(vsync - 1)
      var free = run(isDrawn ? "paint" : "FireAnimationFrame", at + 0.2, for: 2)
      if isDrawn {
        frames.append(
          RecordedFrame(
            vsync: .ms(at), work: TimeSpan.ms(at + 0.2).nanoseconds..<TimeSpan.ms(free).nanoseconds,
            presented: .ms(at + period), verdict: .shown))
      }
      if isWaiting { _ = run("save (page.html:9)", free + 0.1, for: 4) }
      isWaiting = false
      guard keys.contains(vsync) else { continue }
      inputs.append(.ms(at + 3.5))
      free = run("press (page.html:3)", at + 3, for: 5)
      guard let waits = waits(vsync) else { continue }
      isWaiting = waits
      if !waits { _ = run("save (page.html:9)", free + 0.1, for: 4) }
    }
    var recording = Recording.slices(slices, frames: frames)
    recording.inputs = inputs
    return recording
  }

  private func learn(_ recording: Recording) throws -> LearnedScenario {
    try #require(LearnedScenario(recording, name: "page", source: "page.json"))
  }

  /// The number of inputs, if the scenario's loop defers what is behind them; nil if it does not.
  private func inputs(_ learned: LearnedScenario) -> Int? {
    let text = learned.scenario(replay: .good)
    guard text.contains("main-loop: {events: fifo, defer-after-input: 50 ms}") else { return nil }
    #expect(text.contains("    input: true\n"))
    return learned.items.workloads.filter(\.isInput).reduce(0) { $0 + $1.items.count }
  }

  @Test func `that wait for the frame behind inputs are replayed so`() throws {
    let learned = try learn(Self.recording(waits: { _ in true }))
    #expect(inputs(learned) == 4)
    let items = learned.items.workloads
    let input = try #require(items.firstIndex { $0.isInput })
    let other = try #require(items.firstIndex { !$0.isInput })
    let log = try Replay(learned).run("as-recorded")
    // As in the recording: the frame, 8.7 ms behind the key, and then 2 and 4 ms.
    let waits = zip(log.items[input].completions, log.items[other].completions).map { $1 - $0 }
    #expect(waits.count == 4 && waits.allSatisfy { abs($0 - 15_000_000) < 500_000 }, "\(waits)")
  }

  @Test func `that run behind inputs at once leave the loop as it is`() throws {
    // None, one or two of four wait.
    for count in 0...2 {
      let learned = try learn(Self.recording(waits: { Self.keys.prefix(count).contains($0) }))
      #expect(inputs(learned) == nil)
      #expect(!learned.scenario(replay: .good).contains("input: true"))
    }
  }

  @Test func `are none in a recording of inputs, which contradicts nothing`() throws {
    #expect(inputs(try learn(Self.recording(waits: { _ in nil }))) == 4)
  }

  @Test func `behind a frame that changed nothing have not waited for the next`() throws {
    let learned = try learn(Self.recording(waits: { _ in true }, draws: { $0 > 10 }))
    #expect(inputs(learned) == 3)
  }

  @Test func `of a recording without inputs show nothing`() throws {
    var recording = Self.recording(waits: { _ in true })
    recording.inputs = []
    #expect(inputs(try learn(recording)) == nil)
  }
}
