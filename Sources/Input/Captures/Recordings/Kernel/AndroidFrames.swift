internal import FrameBudget
internal import FrameBudgetParsing

/// Frames of an app without frame events of the display: the work of its main thread between vsyncs.
struct AndroidFrames {
  /// The name of the slice in which a main thread draws a frame; a frame number may follow.
  static let name = "Choreographer#doFrame"

  /// Whether a slice with that name is a frame, and not a nested slice of a frame.
  static func isFrame(_ slice: Span<UInt8>) -> Bool {
    var at = 0
    guard TextScan.takeText("Choreographer#doFrame", slice, &at) else { return false }
    return at == slice.count
      || TextScan.takeSpaces(slice, &at) && TextScan.number(slice, &at) != nil && at == slice.count
  }

  /// The vsyncs, in order.
  private let vsyncs: [Int64]

  init(_ vsyncs: [Int64]) { self.vsyncs = vsyncs.sorted() }

  /// The frames that `thread` drew.
  func frames(of thread: RecordedThread, names: [String]) -> [RecordedFrame] {
    let meant = names.map { $0.hasPrefix(Self.name) }
    var frames: [RecordedFrame] = []
    var end = Int64.min
    var next = 0
    for slice in thread.slices where meant[Int(slice.name)] {
      let work = slice.begin.nanoseconds..<slice.end.nanoseconds
      // A nested slice belongs to the same frame.
      guard work.lowerBound >= end else { continue }
      end = work.upperBound
      while next < vsyncs.count, vsyncs[next] <= work.lowerBound { next += 1 }
      let vsync = next > 0 ? vsyncs[next - 1] : work.lowerBound
      // Without the vsync of the frame, its start is the best estimate.
      let isNear = frames.last.map { vsync > $0.vsync.nanoseconds } ?? true
      frames.append(
        RecordedFrame(vsync: .nanoseconds(isNear ? vsync : work.lowerBound), work: work))
    }
    return frames
  }

  /// The period of vsyncs: the median distance between consecutive ones.
  var period: TimeSpan? { Self.period(of: vsyncs) }

  /// The usual distance between `instants`, some of which may be missing.
  static func period(of instants: [Int64]) -> TimeSpan? {
    let spans = zip(instants, instants.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    guard spans.count >= 4 else { return nil }
    // One of the shortest distances is between consecutive vsyncs; the very shortest may be invalid.
    let short = spans[spans.count / 10]
    return spans.filter { $0 < short + short / 2 }.middle.map(TimeSpan.init(nanoseconds:))
  }
}
