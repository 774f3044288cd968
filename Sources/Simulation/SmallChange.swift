internal import FrameBudget

/// A scenario that differs slightly from what is assumed: all costs by up to 5 %, and arrivals shifted within a vsync period.
///
/// Costs are not known more precisely than that, and no app chooses when vsyncs happen.
struct SmallChange {
  let costs: Double
  /// Draws the shift of arrivals; nil if they are not shifted.
  let phases: Int?

  /// Few, because each is a run; enough to notice when costs between 0.95 and 1.05 move dropped frames by 20 points.
  static let count = 4

  /// Costs at equal distances, every other one with shifted arrivals.
  static let all: [SmallChange] = (0..<count).map { place in
    SmallChange(
      costs: 0.95 + 0.1 * Double(place) / Double(count - 1),
      phases: place.isMultiple(of: 2) ? nil : place)
  }

  /// `scenario` with this change; `seed` and the name of a workload determine its shift.
  func changed(_ scenario: Scenario, seed: UInt64) -> Scenario {
    let costing = scenario.costing(costs)
    guard let phases else { return costing }
    let period = Double(scenario.display.refresh.period.nanoseconds)
    return costing.delayingArrivals { group in
      var stream = RandomStream(seed: seed, name: "small-change/\(group)", index: phases)
      return TimeSpan(nanoseconds: Int64(stream.unit() * period))
    }
  }
}
