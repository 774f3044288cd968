import FrameBudget
import FrameBudgetParsing
import FrameBudgetCaptures
import Testing

/// A real recording of Flutter's DevTools, compared with known facts about it.
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
}
