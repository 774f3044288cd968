internal import FrameBudget

/// A run of this session in numbers.
struct TriedRun: Sendable {
  let label: String
  let engine: EngineKind?
  let refresh: RefreshRate
  let figures: Figures
  /// Items that were pending when somebody ended the run; zero for one that is under way.
  let cancelled: Int
  let isUnderWay: Bool

  init(_ run: RunModel, isUnderWay: Bool) {
    label = run.label
    engine = run.engine
    refresh = run.refresh
    // What is under way is shown as it stands elsewhere on the screen.
    var figures = isUnderWay ? run.figures : Figures(run, at: run.now ?? .zero)
    cancelled = isUnderWay ? 0 : run.pending
    if !isUnderWay && run.knowsItems { figures.pending = 0 }
    self.figures = figures
    self.isUnderWay = isUnderWay
  }

  func isSame(as other: TriedRun) -> Bool {
    label == other.label && engine == other.engine && refresh == other.refresh
  }
}
