import FrameBudget
import FrameBudgetParsing

/// The `timeline_summary.json` of Flutter's tests (flutter_driver's `TimelineSummary`, commit 000a6d6): the times of frames in
/// microseconds, on the UI thread and on the raster thread. It does not have their vsyncs, nor say which belong together.
struct FlutterSummaryLog {
  static let keys = ["frame_build_times", "frame_rasterizer_times", "frame_begin_times"]

  private var tally = FrameTally(refresh: nil, clock: .app)
  private var duration = TimeSpan.zero

  var hasFrames: Bool { tally.issues.rows > 0 }

  mutating func read(_ key: String, _ reader: inout JSONReader) throws(InputError) {
    let spans = try reader.spans(places: 3)
    switch key {
    case "frame_build_times":
      for span in spans {
        tally.issues.row()
        tally.built(span)
      }
    case "frame_rasterizer_times": spans.forEach { tally.rasterized($0) }
    default: duration = .nanoseconds((spans.max() ?? 0) - (spans.min() ?? 0))
    }
  }

  consuming func finish() -> [ImportedFrames] {
    [
      ImportedFrames(
        StreamKey(process: "Flutter"), tally, showsDisplay: false, duration: duration,
        doubt: FrameTally.noImages)
    ]
  }
}

extension JSONReader {
  /// The times in an array, in nanoseconds; `places` are the decimals from their unit.
  mutating func spans(
    places: Int, in allowed: ClosedRange<Int64> = InputTime.frames
  ) throws(InputError) -> [Int64] {
    var spans: [Int64] = []
    try array { (reader) throws(InputError) in
      guard let span = try reader.fixedPoint(places: places).value(in: allowed) else {
        throw reader.failure("a time that a frame can have is expected here")
      }
      guard spans.count < RecordedColumn.maxValues else {
        throw reader.failure("more than \(RecordedColumn.maxValues) times")
      }
      spans.append(span)
    }
    return spans
  }
}
