import FrameBudget
import FrameBudgetParsing

/// Android's `dumpsys SurfaceFlinger --latency LAYER` (AOSP's `FrameTracker::dumpStats`): the display's period, then for each image
/// when it should have been shown at the earliest (`desiredPresentTime`: without a wish of the app, when it was posted), when it
/// was shown, and when it was ready, in nanoseconds, separated by tabs.
///
/// An image is wanted from the vsync at which it could have been shown: after the image before it, and after the usual time
/// from its post to the screen, that of the fastest tenth. So a pause between two images is no drop.
struct LatencyTable: LogTable {
  private let refresh: RefreshRate
  private let requested: RefreshRate?
  private var images: [(posted: Int64, shown: Int64)] = []

  init?(_ header: LogHeader, refresh: RefreshRate?) {
    guard header.names.count == 1, let period = InputNumber.whole(header.names[0]).map(Int64.init),
      let rate = RefreshRate(period: .nanoseconds(period))
    else { return nil }
    self.refresh = rate
    requested = refresh
  }

  mutating func row(
    _ fields: CSVFields, _ line: Span<UInt8>, number: Int
  ) throws(InputError) {
    let texts = fields.text(0, of: line).split { " \t".contains($0) }
    let times = texts.compactMap { InputNumber.whole($0, in: 0...Int.max).map(Int64.init) }
    // The period of another dump.
    if texts.count == 1, times.count == 1 { return }
    guard fields.count == 1, texts.count == 3, times.count == 3 else {
      throw InputError("\(InputError.quoted(fields.text(0, of: line))) is not three instants")
    }
    // Unused rows are 0, and an image that is not on the screen yet has the largest number.
    guard times[0] > 0, times[1] > 0, times[1] < .max else { return }
    guard times.prefix(2).allSatisfy(InputTime.instants.contains) else {
      throw InputError("an instant is out of range")
    }
    // The next dump repeats images.
    guard times[1] > images.last?.shown ?? 0 else { return }
    guard images.count < RecordedColumn.maxValues else {
      throw InputError("more than \(RecordedColumn.maxValues) images")
    }
    images.append((times[0], times[1]))
  }

  consuming func finish() -> [ImportedFrames] {
    let period = 1e9 / refresh.hertz
    func vsyncs(_ span: Int64) -> Int { Int((Double(span) / period).rounded()) }
    let delays = images.map { max(0, vsyncs($0.shown - $0.posted)) }.sorted()
    let usual = delays.isEmpty ? 0 : delays[delays.count / 10]
    var tally = FrameTally(refresh: requested, clock: .vsyncs)
    tally.use(refresh)
    var newest: Int64?
    for (posted, shown) in images {
      tally.issues.row()
      let wanted = posted + Int64(Double(usual) * period)
      let due = newest.map { max($0 + Int64(period), wanted) } ?? wanted
      let missed = max(0, vsyncs(shown - due))
      if let newest { tally.rested(shown - newest) }
      tally.shown(afterGap: missed, interval: Int64(Double(missed + 1) * period))
      newest = shown
    }
    return [ImportedFrames(StreamKey(process: "SurfaceFlinger"), tally, showsDisplay: true)]
  }
}
