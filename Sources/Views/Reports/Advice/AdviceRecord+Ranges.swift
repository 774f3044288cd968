package import FrameBudget
internal import FrameBudgetAdvice

/// How far the figures of an arrangement may be off, and which aims that leaves open.
extension AdviceRecord.Row {
  /// The range of the share of dropped frames, as `run` prints it: `0–0.8 %`; nil if it is unknown.
  package var droppedRange: String? {
    ranges.shownRange(of: .droppedPercent).map { "\(Figure.range($0, of: .droppedPercent)) %" }
  }

  /// The range of the 99th percentile of responses, where `run` prints it: `16.7–50 ms`; nil elsewhere.
  package var responseRange: String? {
    let metric = Metric.response(.p99)
    return ranges.shownRange(of: metric).flatMap {
      metric.isWorthShowing($0) ? "\(Figure.range($0, of: metric)) ms" : nil
    }
  }

  /// The aims that some of what the ranges contain misses. All of them are met as predicted, if the row is.
  package var openAims: [Aim] {
    aims.filter { $0.isKept(in: ranges.shownRange(of:), frames: frames) == false }
  }

  /// Those that small changes of costs and arrivals can miss.
  package var sensitiveAims: [Aim] {
    aims.filter { $0.isKept(in: ranges.range(of:), frames: frames) == false }
  }

  /// Whether a small error in costs or arrivals would overturn it.
  package var isFragile: Bool { certainty.isFragile || meetsAims && !sensitiveAims.isEmpty }

  /// How certain it is, in sentences; empty if nothing is known.
  package var certaintyWords: String {
    ([certainty.words] + rangeSentences).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// `In 90 % of runs on threads, it drops 0 to 0.8 % of its frames, so dropped_frames<=0 may be missed.` The figures of aims are
  /// named too; one without measured runs has its own sentence.
  private var rangeSentences: [String] {
    let named = PredictionRange.metrics.filter { metric in
      metric.name == Metric.droppedPercent.name || aims.contains { $0.metric == metric.name }
    }
    return [true, false].compactMap { isMeasured in
      let metrics = named.filter { (ranges.predictiveRange(of: $0) != nil) == isMeasured }
      let figures = metrics.compactMap(figure)
      guard !figures.isEmpty else { return nil }
      let open = openAims.filter { aim in metrics.contains { $0.isBounded(by: aim) } }
      let miss = meetsAims && !open.isEmpty
      let doubt = miss ? ", so \(English.list(open.map(\.words))) may be missed" : ""
      return "\(RangeWords.condition(isMeasured: isMeasured)), \(English.list(figures))\(doubt)."
    }
  }

  /// `it drops 0 to 0.8 % of its frames`, `response_ms_p99 is 16.7 to 50 ms`; nil without a range.
  private func figure(_ metric: Metric) -> String? {
    guard let range = ranges.shownRange(of: metric) else { return nil }
    let ends = [range.lowerBound, range.upperBound].map {
      metric.unit == .percent ? Figure.percent($0) : Figure.text($0)
    }
    let span = ends.distinct().joined(separator: " to ")
    return metric.name == Metric.droppedPercent.name
      ? "it drops \(span) % of its frames" : "\(metric.name) is \(span) ms"
  }
}

extension Metric {
  /// Whether `aim` bounds it or, of the share of dropped frames, their number.
  fileprivate func isBounded(by aim: Aim) -> Bool {
    aim.metric == name
      || name == Metric.droppedPercent.name && aim.metric == Metric.droppedFrames.name
  }
}
