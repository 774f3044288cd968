import Foundation
import FrameBudget
import FrameBudgetCaptures
import FrameBudgetLearning
import FrameBudgetParsing
import TestSupport
import Testing

/// `import` and `learn` take the same frames and the same figures from a recording.
struct SameFiguresTests {
  private static let seeds = Project.folder.appending(path: "Tests/Fuzz/Seeds")

  /// For each row of `import`: what `learn` says of that process.
  private static func compare(_ path: String) throws {
    let index = try RecordingFile.index(path: path)
    let processes = index.threads.map(\.process).distinct()
    let streams = try ImportedLog(ByteSource(path: path), refresh: nil).streams
    #expect(!streams.isEmpty)
    for stream in streams {
      let process = try #require(
        processes.first { $0.name == stream.process || "process \($0.number)" == stream.process })
      let recording = try RecordingFile.read(
        path: path, choosing: RecordingChoice(process: String(process.number)))
      guard let learned = LearnedScenario(recording, name: "app", source: path) else { continue }
      func count(_ name: String) -> Int? {
        if case .count(let count) = stream.values[name] { return count }
        return nil
      }
      #expect(count("expected_frames") == learned.wantedFrames, "\(path): \(stream.process)")
      #expect(count("dropped_frames") == learned.droppedFrames, "\(path): \(stream.process)")
      #expect(count("late_begins") == learned.lateBegins, "\(path): \(stream.process)")
    }
  }

  @Test(arguments: ["phone.pftrace", "packed.pftrace"])
  func `a recording of FrameTimeline has the figures of learn`(_ name: String) throws {
    try Self.compare(Self.seeds.appending(path: "recording-perfetto/\(name)").path)
  }

  /// The app misses 60 of 750 vsyncs, although the platform drops none of its frames.
  @Test(
    .enabled(if: RealRecordingTests.folder != nil, RealRecordingTests.missing),
    arguments: [
      "android_nowinandroid_compose.perfetto-trace", "android_sched_frametimeline.pftrace",
    ])
  func `a real recording has the figures of learn`(_ name: String) throws {
    let path = "\(try #require(RealRecordingTests.folder))/\(name)"
    try Self.compare(path)
    guard name.contains("nowinandroid") else { return }
    let app = try #require(
      try ImportedLog(ByteSource(path: path), refresh: nil).streams.max { $0.rows < $1.rows })
    #expect(app.values["dropped_frames"]?.number == 60)
    #expect(app.values["expected_frames"]?.number == 750)
    #expect((app.values["hitch_max_ms"]?.number ?? 0) > 16)
    #expect(app.values["jank_dropped_frame"]?.number == 0)
  }
}
