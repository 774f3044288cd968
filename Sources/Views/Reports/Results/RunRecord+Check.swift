internal import FrameBudget
internal import FrameBudgetParsing

extension RunRecord {
  /// Throws if the cells contradict one another, or what their columns mean: views would draw conclusions from them.
  func check() throws(InputError) {
    // Logs of other tools, and files of workloads, have none.
    guard status.isEmpty || RunLog.Status(rawValue: status) != nil else {
      throw InputError("\(InputError.quoted(status)) in column status is not a status of a run")
    }
    try numbers.check()
    guard let expected = self[.expectedFrames] else { return }
    for metric in [Metric.presentedFrames, .droppedFrames] {
      guard let count = self[metric], count > expected else { continue }
      throw InputError(
        "\(MetricValue.real(count)) in column \(metric.name) is more than "
          + "the \(MetricValue.real(expected)) of \(Metric.expectedFrames.name)")
    }
  }
}

/// The numbers that a column can have, by the unit of its metric.
enum NumberKind: Sendable {
  case count, share, amount

  /// Nil for a column that is no metric, or whose numbers may be negative.
  init?(_ column: String) {
    guard let metric = Self.metrics[column], !metric.isSigned else { return nil }
    switch metric.unit {
    case .count where metric.denominator == nil: self = .count
    case .percent: self = .share
    default: self = .amount
    }
  }

  private static let metrics = Dictionary(
    MetricCatalog.compared.map { ($0.name, $0) }
  ) { first, _ in first }

  /// NaN is an empty cell.
  func allows(_ value: Double) -> Bool {
    if value.isNaN { return true }
    return switch self {
    case .count: value >= 0 && value == value.rounded()
    case .share: value >= 0 && value <= 100
    case .amount: value >= 0
    }
  }

  var words: String {
    switch self {
    case .count: "a count"
    case .share: "a share from 0 to 100 %"
    case .amount: "zero or more"
    }
  }
}
