internal import FrameBudget

/// Frames of Flutter's engine: their vsyncs, and when the UI thread had built them.
struct FlutterFrames {
  private struct Vsync {
    var called: Int64
    var start: Int64
    var target: Int64
  }

  private var vsyncs: [Vsync] = []
  private var begins: [Int64] = []
  /// By begin: the end of slices that have both.
  private var ends: [Int64: Int64] = [:]
  /// When frames were handed to the raster thread.
  private var produced: [Int64] = []

  var isEmpty: Bool { begins.isEmpty }

  mutating func take(_ event: ChromeEvent) {
    switch (event.kind, event.phase) {
    case (.flutterVsync, .begin), (.flutterVsync, .complete):
      guard let start = event.start, let target = event.target, start < target else { return }
      vsyncs.append(Vsync(called: event.instant, start: start, target: target))
    case (.flutterBegin, .begin): begins.append(event.instant)
    case (.flutterBegin, .complete):
      begins.append(event.instant)
      ends[event.instant] = event.instant + event.length
    // An arrow that passes through the UI thread on its way to the raster thread.
    case (.flutterProduced, .flowStep): produced.append(event.instant)
    default: break
    }
  }

  /// In the order of their vsyncs, with the period of vsyncs. Such a recording does not have the results of frames.
  consuming func found() -> (frames: [RecordedFrame], period: TimeSpan?) {
    begins.sort()
    produced.sort()
    vsyncs.sort { $0.called < $1.called }
    var frames: [RecordedFrame] = []
    var (vsync, end) = (0, 0)
    for (index, begin) in begins.enumerated() {
      while vsync < vsyncs.count, vsyncs[vsync].called <= begin { vsync += 1 }
      while end < produced.count, produced[end] < begin { end += 1 }
      let next = index + 1 < begins.count ? begins[index + 1] : .max
      // Without arrows to the raster thread, the end of the slice is the best estimate.
      let built =
        produced.isEmpty
        ? ends[begin] : end < produced.count && produced[end] <= next ? produced[end] : nil
      frames.append(
        RecordedFrame(
          vsync: .nanoseconds(vsync > 0 ? vsyncs[vsync - 1].start : begin),
          work: built.map { begin..<$0 }))
    }
    let spans = vsyncs.map { $0.target - $0.start }.sorted()
    return (frames, spans.isEmpty ? nil : .nanoseconds(spans[spans.count / 2]))
  }
}
