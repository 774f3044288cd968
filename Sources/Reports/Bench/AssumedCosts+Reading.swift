internal import FrameBudget
internal import Parsing

extension AssumedCosts {
  /// Reads what `json` wrote; what that does not say is as in `Costs.standard`.
  static func read(_ reader: inout JSONReader) throws(InputError) -> Costs {
    var costs = Costs.standard
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "carriers":
        try reader.object { (reader, name) throws(InputError) in
          guard let carrier = CarrierKind(rawValue: name) else { return try reader.skip() }
          costs[carrier] = try handOff(&reader, costs[carrier])
        }
      case "lock": costs.lock = try handOff(&reader, costs.lock)
      case "context_switch_ns": costs.contextSwitch = try span(&reader)
      case "copy_per_record_ns": costs.copyPerRecord = try span(&reader)
      case "release_per_record_ns": costs.releasePerRecord = try span(&reader)
      default: try reader.skip()
      }
    }
    return costs
  }

  private static func handOff(
    _ reader: inout JSONReader, _ standard: HandOffCosts
  ) throws(InputError) -> HandOffCosts {
    var costs = standard
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "post_ns": costs.post = try span(&reader)
      case "wake_ns": costs.wake = try span(&reader)
      case "latency_ns": costs.latency = try span(&reader)
      case "per_waiting_ns": costs.perWaiting = try span(&reader)
      case "look_every_ns": costs.lookEvery = try span(&reader)
      case "run_ns": costs.run = try span(&reader)
      default: try reader.skip()
      }
    }
    return costs
  }

  private static func span(_ reader: inout JSONReader) throws(InputError) -> TimeSpan {
    guard case .value(let nanoseconds) = try reader.fixedPoint(places: 0) else {
      throw reader.failure("a cost is a whole number of nanoseconds")
    }
    return .nanoseconds(nanoseconds)
  }
}
