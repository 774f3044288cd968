import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetCaptures

/// Real recordings of Chrome, compared with known facts about them.
@Suite(.enabled(if: SharedRecordings.folder != nil, SharedRecordings.missing))
struct ChromeRecordingTests {
  /// By a script over its 81 reporters: 70 frames wanted nothing, and of 11 others 2 are dropped; 63 main frames.
  @Test func `main frames are in a trace without the categories of DevTools`() throws {
    let recording = try SharedRecordings.read("chrome-no-devtools-categories.json.gz")
    #expect(recording.count(.dropped) == 2)
    #expect(recording.frames.count { $0.verdict != .notWanted } == 11)
    #expect(recording.frames.contains { $0.verdict == .shown && $0.work != nil })
    #expect(!recording.doubts.contains { $0.contains("lacks the categories") })
    #expect(recording.figures.contains(RecordedFigure(.browserDrops, .count(2))))
  }

  @Test func `a janky page gives the metrics of its source`() throws {
    let index = try SharedRecordings.index("chrome_lr_60hz.json.gz")
    #expect(index.format == .chrome)
    #expect(index.threads.count == 21)
    let thread = index.threads[try #require(index.chosen)]
    #expect(thread.process == RecordedProcess(number: 52, name: "Renderer"))
    #expect((thread.name, thread.slices, thread.tasks) == ("CrRendererMain", 4473, 876))
    let recording = try SharedRecordings.read("chrome_lr_60hz.json.gz")
    #expect(recording.process.number == 52)
    #expect(recording.threads[0].number == 52)
    #expect(recording.threads[0].slices.count == 4473)
    #expect(recording.tasks.count == 876)
    #expect(recording.tasks.count { $0.length > .nanoseconds(16_700_000) } == 17)
    #expect(recording.tasks.count { $0.length > .milliseconds(50) } == 7)
    #expect(recording.threads.allSatisfy { $0.slices.allSatisfy { $0.cpu != nil } })
    #expect(Set(recording.tasks.map { recording.names[Int($0.name)] }) == ["RunTask"])
  }

  @Test func `dropped frames of a janky page match those of import`() throws {
    let recording = try SharedRecordings.read("chrome_lr_60hz.json.gz")
    #expect(recording.count(.dropped) == 40)
    #expect(recording.count(.partial) == 12)
    #expect(recording.count(.shown) == 31)
    #expect(recording.count(.notWanted) == 36)
    #expect(recording.period == .microseconds(16_666))
    #expect(recording.frames.allSatisfy { $0.vsync >= .zero })
    #expect(recording.frames.contains { $0.work != nil })
    #expect(recording.frames.allSatisfy { ($0.presented ?? $0.vsync) >= $0.vsync })
  }

  @Test func `a smooth animation gives the metrics of its source`() throws {
    let recording = try SharedRecordings.read("chrome_animation_120hz.json.gz")
    #expect(recording.threads[0].slices.count == 3572)
    #expect(recording.tasks.count == 1476)
    #expect((recording.count(.dropped), recording.count(.shown)) == (1, 279))
    let period = try #require(recording.period)
    #expect(abs(period.nanoseconds - 8_334_000) < 10_000)
  }

  @Test func `a part of a recording begins at its time 0`() throws {
    let whole = try SharedRecordings.read("chrome_lr_60hz.json.gz")
    let choice = RecordingChoice(from: .seconds(2), to: .seconds(4))
    let part = try SharedRecordings.read("chrome_lr_60hz.json.gz", choosing: choice)
    let inside = whole.tasks.filter { $0.begin >= .seconds(2) && $0.begin < .seconds(4) }
    #expect(part.tasks.map(\.begin) == inside.map { $0.begin - .seconds(2) })
    #expect(part.length == .seconds(2))
    #expect(part.frames.count < whole.frames.count)
  }
}
