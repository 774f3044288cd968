import FrameBudget
import FrameBudgetParsing
import FrameBudgetCaptures
import Testing

/// Real recordings of Android, compared with known facts about them.
@Suite(.enabled(if: SharedRecordings.folder != nil, SharedRecordings.missing))
struct AndroidRecordingTests {
  @Test func `a systrace with unknown process names gives the metrics of its source`() throws {
    let index = try SharedRecordings.index("android_atrace_small.txt")
    #expect(index.format == .systrace)
    let thread = index.threads[try #require(index.chosen)]
    #expect((thread.number, thread.process.number, thread.slices) == (18926, 18926, 91))
    let recording = try SharedRecordings.read("android_atrace_small.txt")
    #expect(recording.threads[0].slices.count == 91)
    #expect(recording.frames.count == 15)
    let works = recording.frames.compactMap(\.work).map { $0.upperBound - $0.lowerBound }
    #expect(works.count { $0 > 16_700_000 } == 1)
    #expect(works.max().map { $0 / 100_000 } == 170)
    let draws = recording.threads.map { thread in
      thread.slices.count { recording.names[Int($0.name)] == "DrawFrame" }
    }
    #expect(draws.max() == 14)
    #expect(recording.threads.allSatisfy { $0.runs == nil })
  }

  @Test func `a phone's frames have the jank types of its FrameTimeline`() throws {
    let recording = try SharedRecordings.read("android_nowinandroid_compose.perfetto-trace")
    #expect(recording.format == .perfetto)
    #expect(recording.process.number == 9305)
    #expect(recording.threads[0].number == 9305)
    #expect(recording.threads.count == 4)
    #expect(recording.threads.map(\.slices.count).reduce(0, +) == 3122)
    #expect(recording.threads[0].slices.count == 2787)
    #expect(Set(recording.threads[0].slices.map(\.name)).count == 40)
    func count(_ name: String) -> Int {
      recording.threads[0].slices.count { recording.names[Int($0.name)] == name }
    }
    #expect(count("Compose:recompose") == 438)
    #expect(count("AndroidOwner:measureAndLayout") == 684)
    #expect(recording.frames.count == 738)
    #expect(
      (recording.count(.shown), recording.count(.late), recording.count(.stuffed)) == (677, 16, 45))
    let longest = recording.frames.compactMap(\.work).map { $0.upperBound - $0.lowerBound }.max()
    #expect(longest.map { ($0 + 50_000) / 100_000 } == 754)
  }

  @Test func `a phone's compact columns say when threads ran`() throws {
    let index = try SharedRecordings.index("android_api32_startup_warm.perfetto-trace")
    #expect(index.format == .perfetto)
    let recording = try SharedRecordings.read(
      "android_api32_startup_warm.perfetto-trace",
      choosing: RecordingChoice(process: "androidx.benchmark.integration.macrobenchmark.target"))
    let main = recording.threads[0]
    #expect(recording.cores == 8)
    let runs = try #require(main.runs)
    #expect(!runs.isEmpty)
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    #expect(main.slices.allSatisfy { ($0.cpu ?? .zero) <= $0.length })
    #expect(main.slices.contains { ($0.cpu ?? .zero) > .zero })
    #expect(!main.posts.isEmpty)
  }
}
