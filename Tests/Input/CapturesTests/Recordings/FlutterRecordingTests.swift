import Foundation
import FrameBudget
import FrameBudgetParsing
import FrameBudgetCaptures
import Testing

/// Real recordings of Flutter's DevTools, compared with known facts about them.
@Suite(.enabled(if: SharedRecordings.folder != nil, SharedRecordings.missing))
struct FlutterRecordingTests {
  @Test func `an app's build and raster times match those of DevTools`() throws {
    let index = try SharedRecordings.index("flutter_timeline_2022.json")
    #expect(index.format == .flutter)
    let recording = try SharedRecordings.read("flutter_timeline_2022.json")
    #expect(recording.threads[0].name == "io.flutter.1.ui (22531)")
    #expect(recording.threads[0].slices.count == 127)
    let raster = try #require(recording.threads.first { $0.name.hasPrefix("io.flutter.1.raster") })
    #expect(raster.slices.count == 76)
    let built = recording.frames.compactMap(\.work).map { $0.upperBound - $0.lowerBound }
    #expect(built.map { ($0 + 50_000) / 100_000 } == [150, 14, 1139, 293])
    #expect(recording.period == .nanoseconds(16_666_667))
    // By their own clock, vsyncs come before the frames that they begin.
    #expect(recording.frames.allSatisfy { $0.vsync.nanoseconds <= $0.work?.lowerBound ?? .max })
    let draws = raster.slices.filter {
      recording.names[Int($0.name)] == "Rasterizer::DrawToSurface"
    }
    #expect(draws.map { ($0.length.nanoseconds + 50_000) / 100_000 } == [14, 13, 18, 237])
  }

  /// DevTools keeps its own list of frames with a recording, in microseconds: in `performance` of the older one, and beside the
  /// newer one.
  private func listed(in file: String) throws -> [[String: Any]] {
    let folder = URL(filePath: try #require(SharedRecordings.folder))
    let data = try Data(contentsOf: folder.appending(component: file))
    let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let performance = all["performance"] as? [String: Any] ?? all
    return try #require(performance["flutterFrames"] as? [[String: Any]])
  }

  @Test(arguments: [
    ("flutter_timeline_2022.json", "flutter_timeline_2022.json", 4),
    ("flutter_ios_2024.pftrace", "flutter_ios_2024.frames.json", 3),
  ])
  func `each frame's build and raster equal DevTools' own to 0.1 ms`(
    _ file: String, _ list: String, _ count: Int
  ) throws {
    let recording = try SharedRecordings.read(file)
    let theirs = try listed(in: list)
    #expect(theirs.count == count && recording.frames.count == count)
    for frame in theirs {
      let number = try #require(frame["number"] as? Int)
      let ours = try #require(recording.frames.first { $0.number == number })
      for (span, key) in [(ours.work, "build"), (ours.stage, "raster")] {
        let length = try #require(span).count / 1000
        let expected = try #require(frame[key] as? Int)
        #expect(abs(length - expected) <= 100, "frame \(number), \(key): \(length), \(expected)")
      }
    }
  }
}
