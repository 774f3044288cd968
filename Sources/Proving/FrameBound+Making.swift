public import FrameBudget

extension FrameBound {
  /// The bound of a frame of `scenario` under `arrangement`.
  ///
  /// - Parameters:
  ///   - scenario: what the app does.
  ///   - arrangement: what runs where.
  ///   - machine: in place of the scenario's.
  ///   - costs: what moving work about takes.
  public init(
    _ scenario: Scenario, under arrangement: Arrangement, on machine: Machine? = nil,
    costs: Costs = .standard
  ) {
    self.init(
      scenario, under: arrangement, on: machine, costs: costs, least: scenario, countsDrops: true)
  }

  /// The same where less work may also be as little as in `least`.
  private init(
    _ scenario: Scenario, under arrangement: Arrangement, on machine: Machine?, costs: Costs,
    least: Scenario, countsDrops: Bool
  ) {
    let maker = BoundMaker(
      scenario, arrangement, costs: costs, machine: machine ?? scenario.machine, least: least)
    self = maker.bound()
    if countsDrops, !isKept { drops = maker.drops() }
  }

  /// How many thousandths of the stated costs a run can bear without dropping more than `limit` frames, from 1 to 1 000 000:
  /// what is above 1000 holds for every smaller factor down to 1 too. Nil if not even a thousandth is borne, or something has
  /// no bound.
  public static func growth(
    of scenario: Scenario, under arrangement: Arrangement, on machine: Machine? = nil,
    costs: Costs = .standard, droppingUpTo limit: Int = 0
  ) -> Int? {
    func isKept(_ thousandths: Int) -> Bool {
      let scaled = scenario.costing(Double(thousandths) / 1000)
      let bound = FrameBound(
        scaled, under: arrangement, on: machine, costs: costs,
        least: thousandths >= 1000 ? scenario : scaled, countsDrops: limit > 0)
      return bound.keeps(limit)
    }
    let stated = isKept(1000)
    var (low, high) = stated ? (1000, mostGrowth) : (1, 999)
    guard stated || isKept(low) else { return nil }
    while low < high {
      let middle = (low + high + 1) / 2
      if isKept(middle) { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// As much as costs can be scaled.
  public static let mostGrowth = 1_000_000
}
