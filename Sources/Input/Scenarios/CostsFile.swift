public import FrameBudget

/// Reads a file of costs: JSON as `framebudget bench` writes it, or the same in YAML.
///
///     {"schema": 1, "carriers": {"scheduler": {"post_ns": 100, "wake_ns": 5000, "latency_ns": 3000}},
///      "lock": {"post_ns": 20}, "context_switch_ns": 2000, "copy_per_record_ns": 30}
///
/// An event runs `latency_ns` after its post, which took `post_ns` and, if it woke the carrier, `wake_ns`. A lock is passed on
/// `latency_ns` after the start of the release.
///
/// `machine: {"cores": 2, "slice_ns": 3000000, "wakes_on_idle_percent": 99, "idle_wake_ns": 40000}` is the scheduling of the
/// measured machine. The slice applies unless a scenario sets one; the rest is for users, and for warnings.
///
/// A carrier can also have `per_waiting_ns`, `look_every_ns` and `run_ns`. Missing costs have their values in `Costs.standard`.
public enum CostsFile {
  /// The costs in `bytes`; `file` is the name in errors.
  public static func parse(_ bytes: [UInt8], file: String) throws(ScenarioError) -> Costs {
    let source = try SourceText(bytes, file: file)
    let root = try YAMLReader.root(of: source, allowed: "allowed: costs as JSON or YAML")
    let faults = Faults()
    let costs = CostsDecoder(faults: faults).costs(root)
    try faults.check(in: source)
    return costs
  }
}

/// Decodes a file of costs, and records its faults.
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

  /// A file with the time until an event runs, but without the polling interval, is from a version without such intervals; its
  /// time is the whole latency.
  private func update(
    _ costs: inout HandOffCosts, _ node: SourceNode, _ what: String, _ keys: [HandOffCosts.Key]
  ) {
    guard let fields = Fields(node, of: what, keys: keys.map(\.rawValue), faults) else { return }
    if fields[HandOffCosts.Key.latency.rawValue] != nil { costs.pollInterval = .zero }
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
  /// A cost. Measured ones have fractions of a nanosecond, which are rounded.
  fileprivate static var nanoseconds: Self {
    ScalarReader("a number of nanoseconds such as 150") { text throws(Quantity.Failure) in
      let allowed: ClosedRange<Int64> = 0...1_000_000_000_000
      guard let thousandths = Decimal.units(text, places: 3), allowed.contains(thousandths) else {
        throw Quantity.Failure(
          "is not a cost; allowed: numbers of nanoseconds from 0 to 1000000000 with up to three "
            + "decimals")
      }
      return .nanoseconds((thousandths + 500) / 1000)
    }
  }
}
