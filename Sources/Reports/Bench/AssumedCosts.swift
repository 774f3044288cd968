internal import FrameBudget

/// The costs that simulated runs assumed, as a file of costs has them: `run --costs` can read them again.
enum AssumedCosts {
  static func json(_ costs: Costs) -> JSON {
    .object([
      ("carriers", .object(CarrierKind.allCases.map { ($0.rawValue, carrier(costs[$0])) })),
      ("lock", .object(handOff(costs.lock))),
      ("context_switch_ns", json(costs.contextSwitch)),
      ("copy_per_record_ns", json(costs.copyPerRecord)),
      ("release_per_record_ns", json(costs.releasePerRecord)),
    ])
  }

  private static func carrier(_ costs: HandOffCosts) -> JSON {
    .object(
      handOff(costs) + [
        ("per_waiting_ns", json(costs.perWaiting)), ("look_every_ns", json(costs.lookEvery)),
        ("run_ns", json(costs.run)),
      ])
  }

  private static func handOff(_ costs: HandOffCosts) -> [(String, JSON)] {
    [
      ("post_ns", json(costs.post)), ("wake_ns", json(costs.wake)),
      ("latency_ns", json(costs.latency)),
    ]
  }

  private static func json(_ span: TimeSpan) -> JSON { .number(String(span.nanoseconds)) }
}
