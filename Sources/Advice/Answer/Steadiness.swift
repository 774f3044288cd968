internal import FrameBudget

/// How often the aims are met where arrivals come at other moments and random numbers are others.
public struct Steadiness: Hashable, Sendable {
  /// How many variants met them.
  public let met: Int
  /// How many there were.
  public let variants: Int

  /// How many are tried.
  static let usual = 20

  /// Whether advice with this is worth a warning.
  public var isPoor: Bool { variants - met > Self.mayMiss(of: variants) }

  /// How many of so many may miss an aim: a tenth.
  static func mayMiss(of variants: Int) -> Int { variants / 10 }

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
