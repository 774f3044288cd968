public import FrameBudget

/// The file of measured costs that `run --costs` reads: whole nanoseconds, by carrier.
public enum CostsJSON {
  /// Of a carrier with several queues the default one counts, which lanes have. Only what was measured is in it;
  /// for the rest the standard costs hold.
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

  /// What a record costs, whatever the size of the state: the median over all sizes and repetitions.
  private static func copying(_ copies: [CopyMeasurement]) -> [(name: String, value: JSON)] {
    guard let copy = copies.map(\.copyPerRecord).median,
      let release = copies.map(\.releasePerRecord).median
    else { return [] }
    return [
      (Costs.Key.copyPerRecord.rawValue, number(copy)),
      (Costs.Key.releasePerRecord.rawValue, number(release)),
    ]
  }

  /// What the machine does, and loses by a switch.
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
    // A receiver that looks now and then does so half a period after the post.
    let period = carrier.description.costs.lookEvery.nanoseconds
    let looking = Double(period) / 2
    let costs: [(key: HandOffCosts.Key, nanoseconds: Double)] =
      [
        (.post, post), (.wake, wakingPost - post),
        // The rest of the time until the event runs, after the poster is through: nothing where the receiver is quicker.
        (.latency, latency - max(post, wakingPost) - looking),
      ] + (period > 0 ? [(.lookEvery, Double(period))] : [])
    return .object(costs.map { ($0.key.rawValue, number($0.nanoseconds)) })
  }

  private static func number(_ nanoseconds: Double) -> JSON {
    .number(Decimal.text(max(0, nanoseconds), places: 0))
  }
}
