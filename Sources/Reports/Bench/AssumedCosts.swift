internal import FrameBudget

/// The costs that simulated runs assumed, as a file of costs has them: `run --costs` can read them again.
enum AssumedCosts {
  static func json(_ costs: Costs) -> JSON {
    let carriers = CarrierKind.allCases.map {
      ($0.rawValue, json(costs[$0], HandOffCosts.Key.allCases))
    }
    return .object(
      [
        (Costs.carriersKey, .object(carriers)),
        (Costs.lockKey, json(costs.lock, HandOffCosts.Key.ofLocks)),
      ] + Costs.Key.allCases.map { ($0.rawValue, json(costs[keyPath: $0.path])) }
        + machine(costs.calibration))
  }

  /// What the machine does that costs are of; nothing where that was not measured.
  static func machine(_ calibration: Calibration) -> [(name: String, value: JSON)] {
    let known = Calibration.Key.allCases.compactMap { key in
      calibration[key].map { (name: key.rawValue, value: JSON.number(String($0))) }
    }
    return known.isEmpty ? [] : [(Costs.machineKey, .object(known))]
  }

  private static func json(_ costs: HandOffCosts, _ keys: [HandOffCosts.Key]) -> JSON {
    .object(keys.map { ($0.rawValue, json(costs[keyPath: $0.path])) })
  }

  private static func json(_ span: TimeSpan) -> JSON { .number(String(span.nanoseconds)) }
}
