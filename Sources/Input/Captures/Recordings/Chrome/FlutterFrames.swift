internal import FrameBudget

/// Frames of Flutter's engine: their vsyncs, when the UI thread had built them, and their numbers on the raster thread.
struct FlutterFrames {
  private struct Vsync {
    var called: Int64
    var start: Int64
    var target: Int64
  }

  private struct Mark {
    var instant: Int64
    var number: Int?
  }

  private var vsyncs: [Vsync] = []
  private var begins: [Mark] = []
  /// By begin: the end of slices that have both.
  private var ends: [Int64: Int64] = [:]
  /// When frames were handed to the raster thread: by their numbers, and those without one.
  private var numbered: [Int: Int64] = [:]
  private var produced: [Int64] = []
  private var rasters: [StageMark] = []

  var isEmpty: Bool { begins.isEmpty }

  mutating func take(_ event: ChromeEvent) {
    switch (event.kind, event.phase) {
    case (.flutterVsync, .begin), (.flutterVsync, .complete):
      guard let start = event.start, let target = event.target, start < target else { return }
      vsyncs.append(Vsync(called: event.instant, start: start, target: target))
    case (.flutterBegin, .begin):
      begins.append(Mark(instant: event.instant, number: event.frame))
    case (.flutterBegin, .complete):
      begins.append(Mark(instant: event.instant, number: event.frame))
      ends[event.instant] = event.instant + event.length
    // An arrow that passes through the UI thread on its way to the raster thread.
    case (.flutterProduced, .flowStep): produced.append(event.instant)
    case (.flutterProduced, .begin), (.flutterProduced, .complete):
      // A frame of several views is handed over with the last one.
      if let number = event.frame {
        numbered[number] = max(numbered[number] ?? .min, event.instant)
      }
    case (.flutterRaster, .begin), (.flutterRaster, .complete):
      if let number = event.frame {
        rasters.append(StageMark(instant: event.instant, number: number))
      }
    default: break
    }
  }

  /// Such a recording does not have the results of frames.
  consuming func found() -> FoundFrames {
    begins.sort { $0.instant < $1.instant }
    produced.sort()
    vsyncs.sort { $0.called < $1.called }
    var frames: [RecordedFrame] = []
    var (vsync, end) = (0, 0)
    for (index, begin) in begins.enumerated() {
      while vsync < vsyncs.count, vsyncs[vsync].called <= begin.instant { vsync += 1 }
      while end < produced.count, produced[end] < begin.instant { end += 1 }
      let next = index + 1 < begins.count ? begins[index + 1].instant : .max
      let handOver = end < produced.count && produced[end] <= next ? produced[end] : nil
      frames.append(
        RecordedFrame(
          vsync: .nanoseconds(vsync > 0 ? vsyncs[vsync - 1].start : begin.instant),
          work: built(begin, at: handOver).map { begin.instant..<$0 }, number: begin.number))
    }
    let period = vsyncs.map { $0.target - $0.start }.middle
    return FoundFrames(
      frames: frames, period: period.map(TimeSpan.init(nanoseconds:)), stageMarks: rasters)
  }

  /// When a frame was built: at its arrow to the raster thread or, in engines whose traces have none, when `Animator::Render`
  /// begins. Without either, the end of its slice is the best estimate.
  private func built(_ begin: Mark, at handOver: Int64?) -> Int64? {
    if let handOver { return handOver }
    if let instant = begin.number.flatMap({ numbered[$0] }), instant >= begin.instant {
      return instant
    }
    return produced.isEmpty ? ends[begin.instant] : nil
  }
}

extension RecordedFrame {
  /// The figures of Flutter's `FrameTimingSummarizer`, over the frames that were built, and over those that were rastered.
  static func flutterFigures(of frames: [RecordedFrame]) -> [RecordedFigure] {
    zip(RecordedMetric.flutter, [frames.compactMap(\.work), frames.compactMap(\.stage)])
      .flatMap { metrics, spans in
        zip(metrics, summary(of: spans.map { $0.upperBound - $0.lowerBound })).map {
          RecordedFigure($0, $1)
        }
      }
  }

  /// The average, the 90th and the 99th percentile, the worst, and how many are over the budget.
  private static func summary(of spans: [Int64]) -> [MetricValue] {
    let sorted = spans.sorted()
    guard let worst = sorted.last else { return [] }
    // That of the nearest frame, not between two.
    func quantile(_ share: Double) -> Double {
      Double(sorted[Int((Double(sorted.count - 1) * share).rounded())])
    }
    let mean = Double(sorted.reduce(0, +)) / Double(sorted.count)
    return [mean, quantile(0.9), quantile(0.99), Double(worst)].map { .real($0 / 1e6) }
      + [.count(sorted.count { $0 > FrameThresholds.flutterBudget.nanoseconds })]
  }
}
