import FrameBudget

/// Turns the tree of a file of costs into costs; what is wrong is recorded.
struct CostsDecoder {
  let faults: Faults

  func costs(_ root: SourceNode) -> Costs {
    var costs = Costs.standard
    guard let fields = Fields(root, of: "costs", keys: Self.keys, faults) else { return costs }
    _ = fields.optional("schema", .wholeNumber(in: 1...1))
    let carriers = fields["carriers"].flatMap { self.carriers($0) } ?? []
    for (carrier, node) in carriers { update(&costs[carrier], node) }
    if let node = fields["lock"],
      let fields = Fields(node, of: "a lock's costs", keys: Self.handOffKeys, faults)
    {
      update(&costs.lock, fields)
    }
    update(&costs.contextSwitch, "context_switch_ns", fields)
    update(&costs.copyPerRecord, "copy_per_record_ns", fields)
    update(&costs.releasePerRecord, "release_per_record_ns", fields)
    return costs
  }

  private static let keys = [
    "schema", "carriers", "lock", "context_switch_ns", "copy_per_record_ns",
    "release_per_record_ns",
  ]

  private func carriers(_ node: SourceNode) -> [(CarrierKind, SourceNode)]? {
    let names = CarrierKind.allCases.map(\.rawValue)
    let fields = Fields(node, of: "the carriers", keys: names, faults)
    return fields.map { fields in
      CarrierKind.allCases.compactMap { carrier in
        fields[carrier.rawValue].map { (carrier, $0) }
      }
    }
  }

  private static let handOffKeys = ["post_ns", "wake_ns", "latency_ns"]

  /// A carrier's costs. Where the time until an event runs is given, and not how often the carrier looks, it is all
  /// there is: so files say it that were written before carriers could look now and then.
  private func update(_ costs: inout HandOffCosts, _ node: SourceNode) {
    let keys = Self.handOffKeys + ["per_waiting_ns", "look_every_ns", "run_ns"]
    guard let fields = Fields(node, of: "a carrier's costs", keys: keys, faults) else { return }
    update(&costs, fields)
    update(&costs.perWaiting, "per_waiting_ns", fields)
    if fields["latency_ns"] != nil { costs.lookEvery = .zero }
    update(&costs.lookEvery, "look_every_ns", fields)
    update(&costs.run, "run_ns", fields)
  }

  private func update(_ costs: inout HandOffCosts, _ fields: Fields) {
    update(&costs.post, "post_ns", fields)
    update(&costs.wake, "wake_ns", fields)
    update(&costs.latency, "latency_ns", fields)
  }

  private func update(_ cost: inout TimeSpan, _ key: String, _ fields: Fields) {
    cost = fields.optional(key, .nanoseconds) ?? cost
  }
}

extension ScalarReader<TimeSpan> {
  /// A cost; measured ones come in fractions of a nanosecond, and are rounded to what time is counted in.
  fileprivate static var nanoseconds: Self {
    ScalarReader("a number of nanoseconds such as 150") { text throws(Quantity.Failure) in
      let allowed: ClosedRange<Int64> = 0...1_000_000_000_000
      guard let thousandths = Decimal.units(text, places: 3), allowed.contains(thousandths) else {
        throw Quantity.Failure(
          "is not a cost; allowed are numbers of nanoseconds from 0 to 1000000000 with up to three "
            + "decimals")
      }
      return .nanoseconds((thousandths + 500) / 1000)
    }
  }
}
