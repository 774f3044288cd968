import FrameBudget

/// Turns the tree of a file of costs into costs; what is wrong is recorded.
struct CostsDecoder {
  let faults: Faults

  func costs(_ root: SourceNode) -> Costs {
    var costs = Costs.standard
    guard let fields = Fields(root, of: "costs", keys: Self.keys, faults) else { return costs }
    _ = fields.optional(RunKey.schema.name, .wholeNumber(in: 1...1))
    let carriers = fields[Costs.carriersKey].flatMap { self.carriers($0) } ?? []
    for (carrier, node) in carriers {
      update(&costs[carrier], node, "a carrier's costs", HandOffCosts.Key.allCases)
    }
    if let node = fields[Costs.lockKey] {
      update(&costs.lock, node, "a lock's costs", HandOffCosts.Key.ofLocks)
    }
    if let node = fields[Costs.machineKey] { update(&costs.calibration, node) }
    for key in Costs.Key.allCases { update(&costs[keyPath: key.path], key.rawValue, fields) }
    return costs
  }

  private static let keys =
    [RunKey.schema.name, Costs.carriersKey, Costs.lockKey, Costs.machineKey]
    + Costs.Key.allCases.map(\.rawValue)

  private func carriers(_ node: SourceNode) -> [(CarrierKind, SourceNode)]? {
    let names = CarrierKind.allCases.map(\.rawValue)
    let fields = Fields(node, of: "the carriers", keys: names, faults)
    return fields.map { fields in
      CarrierKind.allCases.compactMap { carrier in
        fields[carrier.rawValue].map { (carrier, $0) }
      }
    }
  }

  /// Where the time until an event runs is given, and not how often the carrier looks, it is all there is: so files say
  /// it that were written before carriers could look now and then.
  private func update(
    _ costs: inout HandOffCosts, _ node: SourceNode, _ what: String, _ keys: [HandOffCosts.Key]
  ) {
    guard let fields = Fields(node, of: what, keys: keys.map(\.rawValue), faults) else { return }
    if fields[HandOffCosts.Key.latency.rawValue] != nil { costs.lookEvery = .zero }
    for key in keys { update(&costs[keyPath: key.path], key.rawValue, fields) }
  }

  private func update(_ calibration: inout Calibration, _ node: SourceNode) {
    let keys = Calibration.Key.allCases
    guard let fields = Fields(node, of: "the machine", keys: keys.map(\.rawValue), faults) else {
      return
    }
    for key in keys {
      calibration[key] = fields.optional(key.rawValue, .wholeNumber(in: key.range))
    }
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
