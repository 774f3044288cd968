public import FrameBudget

extension VirtualEngine {
  /// How far a prediction moves if costs and arrivals differ slightly: all costs from 5 % lower to 5 % higher, and arrivals
  /// shifted within a vsync period.
  ///
  /// This takes `runsForRange` more runs. The same plan gives the same range on every machine.
  ///
  /// - Parameters:
  ///   - planned: the metrics of `plan` on this engine, which the range includes.
  ///   - plan: the run that was predicted.
  ///   - isWanted: called before each run; false ends it.
  /// - Returns: the range; nil if `isWanted` ended it.
  public func range(
    around planned: RunMetrics, of plan: RunPlan, while isWanted: () -> Bool = { true }
  ) -> PredictionRange? {
    var engine = self
    engine.detail = .summary
    var range = PredictionRange(planned)
    for change in SmallChange.all {
      guard isWanted() else { return nil }
      let scenario = change.changed(plan.scenario, seed: plan.seed)
      let other = RunPlan(scenario, under: plan.strategy, seed: plan.seed)
      range.include(RunMetrics(engine.run(other)))
    }
    return range
  }

  /// How many runs `range` makes.
  public static let runsForRange = SmallChange.count
}
