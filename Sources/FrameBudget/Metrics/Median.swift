extension [Double] {
  /// The quantile 0.5 as `Percentiles` defines it: the value in the middle, of an even number the mean of the two; nil
  /// where there is none.
  package var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
