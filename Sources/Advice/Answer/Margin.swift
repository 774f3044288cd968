internal import FrameBudget

/// By how many percent costs may grow before an aim is missed; found by halving, and so of costs of which more are not
/// borne where fewer are not.
public struct Margin: Hashable, Sendable {
  /// Whose costs: a service by its name in the file, nil for all that takes a processor.
  public let service: String?
  /// The largest whole number of percent at which all aims are still met.
  public let percent: Int
  /// Whether more was not looked for.
  public var isLimit: Bool { percent == Self.most }

  /// More than this is not looked for.
  public static let most = 400
  /// Below this an error of measuring overturns the advice.
  public static let fragile = 5

  init(service: String?, percent: Int) {
    self.service = service
    self.percent = percent
  }

  /// `scenario` with costs that are `percent` percent higher.
  static func raised(
    _ scenario: Scenario, by percent: Int, in services: [ServiceIndex]?
  ) -> Scenario {
    let factor = Double(100 + percent) / 100
    return services.map { scenario.costing(factor, in: Set($0)) } ?? scenario.costing(factor)
  }

  /// The last percentage at which `isBorne`, of which 0 is known to be; nil where that does not say any more.
  static func largest(_ isBorne: (Int) -> Bool?) -> Int? {
    var (borne, broken) = (0, 1)
    while broken <= most {
      guard let holds = isBorne(broken) else { return nil }
      guard holds else { break }
      borne = broken
      broken = broken == most ? most + 1 : min(most, broken * 2)
    }
    while broken - borne > 1 {
      let middle = (borne + broken) / 2
      guard let holds = isBorne(middle) else { return nil }
      if holds { borne = middle } else { broken = middle }
    }
    return borne
  }
}

/// How often the aims are met where arrivals come at other moments and random numbers are others.
public struct Steadiness: Hashable, Sendable {
  /// How many variants met them.
  public let met: Int
  /// How many there were.
  public let variants: Int

  /// How many are tried.
  static let usual = 20

  /// Whether advice with this is worth a warning.
  public var isPoor: Bool { met * 10 < variants * 9 }

  /// `scenario` with another seed, each workload's arrivals later by a random part of a period.
  static func variant(_ number: Int, of scenario: Scenario, seed: UInt64) -> Scenario {
    var stream = RandomStream(seed: seed, name: "advice/variant", index: number)
    var variant = scenario
    variant.seed = stream.next()
    let period = Double(scenario.display.refresh.period.nanoseconds)
    for workload in variant.workloads.indices {
      let shift = TimeSpan(nanoseconds: Int64(stream.unit() * period))
      variant.workloads[workload].arrival = variant.workloads[workload].arrival.later(by: shift)
    }
    return variant
  }
}

extension Arrival {
  fileprivate func later(by shift: TimeSpan) -> Arrival {
    switch self {
    case .once(let count, let start): .once(count, start: start + shift)
    case .batch(let count, let every, let start): .batch(count, every: every, start: start + shift)
    case .rate(let rate, let start): .rate(perSecond: rate, start: start + shift)
    case .at(let instants): .at(instants.map { $0 + shift })
    case .recorded(let instants): .recorded(instants.map { $0 + shift })
    }
  }
}
