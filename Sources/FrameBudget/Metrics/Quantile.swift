/// A place in a sample in the order of size, as columns name it.
package enum Quantile: String, CaseIterable, Sendable {
  case p50, p90, p95, p99, p999, max

  /// Those that most samples are told by.
  static let few: [Quantile] = [.p50, .p99, .max]

  /// From 0 to 1.
  package var share: Double {
    switch self {
    case .p50: 0.5
    case .p90: 0.9
    case .p95: 0.95
    case .p99: 0.99
    case .p999: 0.999
    case .max: 1
    }
  }
}
