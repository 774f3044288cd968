public import FrameBudget
internal import FrameBudgetParsing

/// The assumed costs of simulated runs, in the format of a file of costs: only `CostsFile` reads them.
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

  /// The scheduling of the measured machine; empty if it was not measured.
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

/// The file of measured costs that `run --costs` reads: whole nanoseconds, by carrier.
public enum CostsJSON {
  /// For a carrier with several queues, the costs of the default one, which lanes use. The file has only measured costs; for
  /// others the standard costs apply.
  public static func text(
    _ measured: [HandOffMeasurement], copies: [CopyMeasurement] = [],
    machine: MachineMeasurement? = nil
  ) -> String {
    var carriers: [(name: String, value: JSON)] = []
    for summary in HandOffSummary.grouped(measured) {
      guard let carrier = summary.carrier,
        !carriers.contains(where: { $0.name == carrier.rawValue }),
        let costs = costs(summary, of: carrier)
      else { continue }
      carriers.append((carrier.rawValue, costs))
    }
    return JSON.object(
      [(RunKey.schema.name, .number("1")), (Costs.carriersKey, .object(carriers))]
        + copying(copies) + (machine.map(found) ?? [])
    ).written() + "\n"
  }

  /// The cost of a record for any size of the state: the median over all sizes and repetitions.
  private static func copying(_ copies: [CopyMeasurement]) -> [(name: String, value: JSON)] {
    guard let copy = copies.map(\.copyPerRecord).median,
      let release = copies.map(\.releasePerRecord).median
    else { return [] }
    return [
      (Costs.Key.copyPerRecord.rawValue, number(copy)),
      (Costs.Key.releasePerRecord.rawValue, number(release)),
    ]
  }

  /// The measured scheduling of the machine, and its cost of a context switch.
  static func found(_ machine: MachineMeasurement) -> [(name: String, value: JSON)] {
    let lost = machine.contextSwitch.map {
      (name: Costs.Key.contextSwitch.rawValue, value: number(Double($0.nanoseconds)))
    }
    return (lost.map { [$0] } ?? []) + AssumedCosts.machine(machine.calibration)
  }

  private static func costs(_ summary: HandOffSummary, of carrier: CarrierKind) -> JSON? {
    guard let post = summary.median(1, { $0.post.p50 }),
      let wakingPost = summary.median(1, { $0.idle?.wakingPost }),
      let latency = summary.median(1, { $0.idle?.latency.p50 })
    else { return nil }
    // A polling receiver looks on average half a period after the post.
    let period = carrier.description.costs.pollInterval.nanoseconds
    let looking = Double(period) / 2
    let costs: [(key: HandOffCosts.Key, nanoseconds: Double)] =
      [
        (.post, post), (.wake, wakingPost - post),
        // The rest of the time until the event runs, after the poster has finished; 0 if the receiver is faster.
        (.latency, latency - max(post, wakingPost) - looking),
      ] + (period > 0 ? [(.pollInterval, Double(period))] : [])
    return .object(costs.map { ($0.key.rawValue, number($0.nanoseconds)) })
  }

  private static func number(_ nanoseconds: Double) -> JSON {
    .number(Decimal.text(max(0, nanoseconds), places: 0))
  }
}
