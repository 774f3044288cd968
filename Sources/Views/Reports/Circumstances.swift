public import FrameBudget

/// The conditions of a measurement, which determine whether its figures can be trusted and repeated.
public struct Circumstances: Sendable {
  public var command: [String] = []
  /// UTC, in the format of ISO 8601.
  public var started = ""
  public var version = ""
  public var swift = ""
  public var isDebugBuild = false
  /// The machine's facts in order, with their names; empty if no run was real.
  public var machine: [(name: String, value: String)] = []
  public var pressure: Pressure?
  /// Whether the command was interrupted, so that some of its runs or searches are missing.
  public var isInterrupted = false
  /// The assumptions of simulated runs, if they are not the standard.
  public var costs: Costs?
  /// Sentences about bounds of the scenario that were not checked, although it has them.
  public var uncheckedBounds: [String] = []

  public init() {}

  /// Other load on the machine during the runs.
  public struct Pressure: Hashable, Sendable {
    /// Share of the processors' time that a hypervisor gave to other guests.
    public var stealPercent: Double
    /// Share of the processors' time that other processes used.
    public var othersPercent: Double
    /// The mean number of runnable threads over the minute before the first run, and before the end.
    public var loadBefore: Double
    public var loadAfter: Double

    /// Their names in files.
    static let keys: [(name: String, path: any WritableKeyPath<Pressure, Double> & Sendable)] = [
      ("steal_pct", \.stealPercent), ("others_pct", \.othersPercent),
      ("load_before", \.loadBefore), ("load_after", \.loadAfter),
    ]

    public init(
      stealPercent: Double, othersPercent: Double, loadBefore: Double, loadAfter: Double
    ) {
      self.stealPercent = stealPercent
      self.othersPercent = othersPercent
      self.loadBefore = loadBefore
      self.loadAfter = loadAfter
    }
  }
}
