internal import FrameBudget

/// Repeated measurements of one metric.
package struct Sample: Sendable {
  /// In ascending order.
  package let sorted: [Double]

  package init(_ values: [Double]) { sorted = values.sorted() }

  package var count: Int { sorted.count }

  /// The mean of what is left without a fifth at either end: an outlier of the machine does not move it, and
  /// unlike the median it uses most of what was measured (Wilcox 2012, section 3.2.2).
  package var trimmedMean: Double {
    let cut = count / 5
    let kept = sorted[cut..<(count - cut)]
    return kept.reduce(0, +) / Double(kept.count)
  }

  /// As many values, drawn with replacement.
  func resampled(using stream: inout RandomStream) -> Sample {
    Sample(sorted.indices.map { _ in sorted[Int(stream.unit() * Double(count))] })
  }
}

/// The difference of two samples' trimmed means with its 95 % percentile bootstrap interval (Efron 1979).
package struct BootstrapDifference {
  package let difference: Double
  package let interval: ClosedRange<Double>

  package init(_ base: Sample, _ new: Sample, resamples: Int, name: String) {
    difference = new.trimmedMean - base.trimmedMean
    var stream = RandomStream(seed: 1, name: name)
    let differences = (0..<resamples).map { _ in
      let old = base.resampled(using: &stream).trimmedMean
      return new.resampled(using: &stream).trimmedMean - old
    }.sorted()
    let tail = resamples / 40
    interval = differences[tail]...differences[resamples - 1 - tail]
  }
}
