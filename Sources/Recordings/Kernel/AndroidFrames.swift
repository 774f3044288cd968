internal import FrameBudget
internal import Parsing

/// Frames of an app whose display said nothing of them: what its main thread did between vsyncs.
struct AndroidFrames {
  /// How main threads call drawing a frame; the frame's number may stand behind it.
  static let name = "Choreographer#doFrame"

  /// Whether a slice of that name is a frame, and not what a frame says again within.
  static func isFrame(_ slice: Span<UInt8>) -> Bool {
    var at = 0
    guard TextScan.takeText("Choreographer#doFrame", slice, &at) else { return false }
    return at == slice.count
      || TextScan.takeSpaces(slice, &at) && TextScan.number(slice, &at) != nil && at == slice.count
  }

  /// When it was time for a frame, in order.
  private let vsyncs: [Int64]

  init(_ vsyncs: [Int64]) { self.vsyncs = vsyncs.sorted() }

  /// A frame for each that `thread` drew.
  func frames(of thread: RecordedThread, names: [String]) -> [RecordedFrame] {
    let meant = names.map { $0.hasPrefix(Self.name) }
    var frames: [RecordedFrame] = []
    var end = Int64.min
    var next = 0
    for slice in thread.slices where meant[Int(slice.name)] {
      let work = slice.begin.nanoseconds..<slice.end.nanoseconds
      // What it says again within is the same one.
      guard work.lowerBound >= end else { continue }
      end = work.upperBound
      while next < vsyncs.count, vsyncs[next] <= work.lowerBound { next += 1 }
      let vsync = next > 0 ? vsyncs[next - 1] : work.lowerBound
      // Without the vsync that it was for, its begin is the best that is known.
      let isNear = frames.last.map { vsync > $0.vsync.nanoseconds } ?? true
      frames.append(
        RecordedFrame(vsync: .nanoseconds(isNear ? vsync : work.lowerBound), work: work))
    }
    return frames
  }

  /// How far vsyncs are apart: the middle one of the spans between those that follow one another.
  var period: TimeSpan? { Self.period(of: vsyncs) }

  /// The usual span between `instants`, some of which may be missing.
  static func period(of instants: [Int64]) -> TimeSpan? {
    let spans = zip(instants, instants.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    guard spans.count >= 4 else { return nil }
    // One of the shortest is of two that follow one another; the very shortest may be a broken one.
    let short = spans[spans.count / 10]
    let near = spans.filter { $0 < short + short / 2 }
    return .nanoseconds(near[near.count / 2])
  }
}
