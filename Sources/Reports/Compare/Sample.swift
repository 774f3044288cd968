internal import FrameBudget

/// Repeated measurements of one metric.
struct Sample {
  /// In ascending order.
  let sorted: [Double]

  init(_ values: [Double]) { sorted = values.sorted() }

  var count: Int { sorted.count }

  /// The mean of what is left without a fifth at either end: an outlier of the machine does not move it, and
  /// unlike the median it uses most of what was measured (Wilcox 2012, section 3.2.2).
  var trimmedMean: Double {
    let cut = count / 5
    let kept = sorted[cut..<(count - cut)]
    return kept.reduce(0, +) / Double(kept.count)
  }

  /// The same of what may be lower bounds; it is one itself where it would grow if they did.
  static func trimmedMean(_ observations: [Observation]) -> Observation {
    Observation(
      Sample(observations.atLeast).trimmedMean,
      isBound: !Sample(observations.atMost).trimmedMean.isFinite)
  }

  /// As many values, drawn with replacement.
  func resampled(using stream: inout RandomStream) -> Sample {
    Sample(sorted.indices.map { _ in sorted[Int(stream.unit() * Double(count))] })
  }
}

/// The difference of two samples' trimmed means with its 95 % percentile bootstrap interval (Efron 1979).
struct BootstrapDifference {
  let difference: Double
  let interval: ClosedRange<Double>

  init(_ base: Sample, _ new: Sample, resamples: Int, name: String) {
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
