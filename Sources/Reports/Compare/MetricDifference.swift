internal import FrameBudget
internal import Statistics

/// By how much two samples of a metric differ, if the lower bounds among them stand for certain values.
struct MetricDifference {
  /// New less base.
  let difference: Double
  /// Whether no run differs from its counterpart by more than is allowed; for exact comparisons.
  let isSame: Bool
  /// Nil for exact comparisons.
  let interval: ClosedRange<Double>?
  let test: MannWhitney?

  /// Of runs that have no noise, each beside its counterpart.
  init(exact base: [Double], _ new: [Double], isSame: (Double, Double) -> Bool) {
    difference = Self.mean(new) - Self.mean(base)
    self.isSame = zip(base, new).allSatisfy(isSame)
    interval = nil
    test = nil
  }

  /// Of measurements.
  init(measured base: [Double], _ new: [Double], resamples: Int, name: String) {
    let (old, now) = (Sample(base), Sample(new))
    let bootstrap = BootstrapDifference(old, now, resamples: resamples, name: name)
    difference = bootstrap.difference
    isSame = false
    interval = bootstrap.interval
    test = MannWhitney(old, now)
  }

  static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
}

extension [Observation] {
  var hasBound: Bool { contains(where: \.isBound) }
  /// Each bound as if it were exact: as small as it can be.
  var atLeast: [Double] { map(\.value) }
  /// Each bound as large as it can be.
  var atMost: [Double] { map { $0.isBound ? .infinity : $0.value } }
}

extension Sample {
  /// The same of what may be lower bounds; it is one itself where it would grow if they did.
  static func trimmedMean(_ observations: [Observation]) -> Observation {
    Observation(
      Sample(observations.atLeast).trimmedMean,
      isBound: !Sample(observations.atMost).trimmedMean.isFinite)
  }
}
