public import FrameBudget

/// Reads a file of costs: JSON as `framebudget bench` writes it, or the same in YAML.
///
///     {"schema": 1, "carriers": {"scheduler": {"post_ns": 100, "wake_ns": 5000, "latency_ns": 3000}},
///      "lock": {"post_ns": 20}, "context_switch_ns": 2000, "copy_per_record_ns": 30}
///
/// An event runs `latency_ns` after its post, which took `post_ns` and, where it woke the carrier, `wake_ns`. A lock is
/// passed on `latency_ns` after the release began.
///
/// `machine: {"cores": 2, "slice_ns": 3000000, "wakes_on_idle_percent": 99, "idle_wake_ns": 40000}` is what the machine
/// does that the costs are of. The slice holds wherever a scenario says none; the rest is for people, and for warnings.
///
/// A carrier can also have `per_waiting_ns`, `look_every_ns` and `run_ns`. What the file does not say stays as it is
/// in `Costs.standard`.
public enum CostsFile {
  /// The costs that `bytes` say; `file` is what errors call it.
  public static func parse(_ bytes: [UInt8], file: String) throws(ScenarioError) -> Costs {
    let source = try SourceText(bytes, file: file)
    let root = try YAMLReader.root(of: source, allowed: "allowed are costs as JSON or YAML")
    let faults = Faults()
    let costs = CostsDecoder(faults: faults).costs(root)
    try faults.check(in: source)
    return costs
  }
}
