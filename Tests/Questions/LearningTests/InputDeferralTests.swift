import FrameBudget
import Testing

@testable import FrameBudgetCaptures
@testable import FrameBudgetLearning

/// Recordings of a browser in which a task is posted while a key is handled.
struct InputDeferralTests {
  private static let period = 50.0 / 3
  private static let keys = [4, 16, 28, 40]

  /// A second at 60 Hz with a frame of 2 ms at each vsync. `delay` behind those of `keys`, a key is handled for 5 ms, and posts a
  /// task of 4 ms, or none if it is nil whether it waits. The task begins behind the next frame that is not due before if it
  /// `waits`, else behind the key. The next frame changes nothing unless the key `draws`.
  private static func recording(
    waits: (Int) -> Bool?, draws: (Int) -> Bool = { _ in true }, delay: Double = 3
  ) -> Recording {
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var (frames, inputs) = ([RecordedFrame](), [TimeSpan]())
    var (free, waitsSince, posts) = (0.0, Double?.none, [RecordedPost]())
    func run(_ name: String, _ begin: Double, for length: Double) -> Double {
      slices += [("RunTask", begin, begin + length, 0), (name, begin, begin + length, 1)]
      return begin + length
    }
    func save(_ begin: Double, postedAt instant: Double) -> Double {
      posts.append(RecordedPost(slice: slices.count, instant: .ms(instant)))
      return run("save (page.html:9)", begin, for: 4)
    }
    for vsync in 0..<60 {
      let at = Double(vsync) * period
      let isDrawn = !keys.contains(vsync - 1) || draws(vsync - 1)
      let begin = max(at + 0.2, free + 0.1)
      free = run(isDrawn ? "paint" : "FireAnimationFrame", begin, for: 2)
      if isDrawn {
        frames.append(
          RecordedFrame(
            vsync: .ms(at), work: TimeSpan.ms(begin).nanoseconds..<TimeSpan.ms(free).nanoseconds,
            presented: .ms(at + period), verdict: .shown))
      }
      if let since = waitsSince, at >= since {
        free = save(free + 0.1, postedAt: since - 1)
        waitsSince = nil
      }
      guard keys.contains(vsync) else { continue }
      inputs.append(.ms(at + delay + 0.5))
      free = run("press (page.html:3)", at + delay, for: 5)
      guard let waits = waits(vsync) else { continue }
      if waits { waitsSince = free } else { free = save(free + 0.1, postedAt: free - 1) }
    }
    var recording = Recording.slices(slices, frames: frames)
    recording.inputs = inputs
    recording.threads[0].posts = posts
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

  /// From the end of each key to that of the task behind it, in the replay of a recording in which all of them wait.
  private func replayedWaits(_ recording: Recording) throws -> [Int64] {
    let learned = try learn(recording)
    #expect(inputs(learned) == 4)
    let items = learned.items.workloads
    let input = try #require(items.firstIndex { $0.isInput })
    let other = try #require(items.firstIndex { !$0.isInput })
    let log = try Replay(learned).run("as-recorded")
    return zip(log.items[input].completions, log.items[other].completions).map { $1 - $0 }
  }

  @Test func `that wait for the frame behind inputs are replayed so`() throws {
    let waits = try replayedWaits(Self.recording(waits: { _ in true }))
    // As in the recording: the frame, 8.7 ms behind the key, and then 2 and 4 ms.
    #expect(waits.count == 4 && waits.allSatisfy { abs($0 - 15_000_000) < 500_000 }, "\(waits)")
  }

  @Test func `that wait longer than for a frame that was due before are replayed so`() throws {
    let waits = try replayedWaits(Self.recording(waits: { _ in true }, delay: 13))
    // The key ends 18 ms behind a vsync. The frame of the next one follows at once; that of the one behind it, and the task, take
    // 6 ms from 33.3.
    #expect(waits.count == 4 && waits.allSatisfy { abs($0 - 21_500_000) < 500_000 }, "\(waits)")
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
