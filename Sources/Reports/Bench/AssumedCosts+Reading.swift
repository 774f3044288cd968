internal import FrameBudget
internal import Parsing

extension AssumedCosts {
  /// Reads what `json` wrote; what that does not say is as in `Costs.standard`.
  static func read(_ reader: inout JSONReader) throws(InputError) -> Costs {
    var costs = Costs.standard
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case Costs.carriersKey:
        try reader.object { (reader, name) throws(InputError) in
          guard let carrier = CarrierKind(rawValue: name) else { return try reader.skip() }
          costs[carrier] = try handOff(&reader, costs[carrier])
        }
      case Costs.machineKey: costs.calibration = try calibration(&reader)
      case Costs.lockKey: costs.lock = try handOff(&reader, costs.lock)
      default:
        guard let key = Costs.Key(rawValue: key) else { return try reader.skip() }
        costs[keyPath: key.path] = try span(&reader)
      }
    }
    return costs
  }

  private static func handOff(
    _ reader: inout JSONReader, _ standard: HandOffCosts
  ) throws(InputError) -> HandOffCosts {
    var costs = standard
    try reader.object { (reader, key) throws(InputError) in
      guard let key = HandOffCosts.Key(rawValue: key) else { return try reader.skip() }
      costs[keyPath: key.path] = try span(&reader)
    }
    return costs
  }

  private static func calibration(_ reader: inout JSONReader) throws(InputError) -> Calibration {
    var calibration = Calibration()
    try reader.object { (reader, key) throws(InputError) in
      guard let key = Calibration.Key(rawValue: key) else { return try reader.skip() }
      let range = Int64(key.range.lowerBound)...Int64(key.range.upperBound)
      guard let number = try reader.fixedPoint(places: 0).value(in: range) else {
        throw reader.failure(
          "\(key.rawValue) is a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      calibration[key] = Int(number)
    }
    return calibration
  }

  private static func span(_ reader: inout JSONReader) throws(InputError) -> TimeSpan {
    guard let nanoseconds = try reader.fixedPoint(places: 0).value(in: OutsideTime.spans) else {
      throw reader.failure("a cost is a whole number of nanoseconds, at most those of a day")
    }
    return .nanoseconds(nanoseconds)
  }
}
