internal import FrameBudget

/// The costs that simulated runs assumed, as a file of costs has them: `run --costs` can read them again.
enum AssumedCosts {
  static func json(_ costs: Costs) -> JSON {
    .object([
      ("carriers", .object(CarrierKind.allCases.map { ($0.rawValue, json(costs[$0])) })),
      ("lock", json(costs.lock)),
      ("context_switch_ns", json(costs.contextSwitch)),
      ("copy_per_record_ns", json(costs.copyPerRecord)),
      ("release_per_record_ns", json(costs.releasePerRecord)),
    ])
  }

  private static func json(_ costs: HandOffCosts) -> JSON {
    .object([
      ("post_ns", json(costs.post)), ("wake_ns", json(costs.wake)),
      ("latency_ns", json(costs.latency)),
    ])
  }

  private static func json(_ span: TimeSpan) -> JSON { .number(String(span.nanoseconds)) }
}
