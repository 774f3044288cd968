internal import FrameBudget
internal import Scenarios

/// What of a scenario is the load that a search varies, and from where to where.
struct LoadPath {
  let variation: Variation
  let range: ClosedRange<Int>
  private let unit: String

  /// What `--vary` says, which must be a range; both its ends must be valid in the scenario.
  init(
    parsing text: String, of source: ScenarioSource, _ set: [Override]
  ) throws(ToolError) {
    let variation = try Variation(parsing: text)
    guard case .range(let range, let unit) = variation.values else {
      throw ToolError(
        .usage, "--vary '\(text)' is not a range; a search takes whole numbers, PATH=A..B")
    }
    self.init(variation, range, unit)
    for load in [range.lowerBound, range.upperBound] {
      _ = try source.scenario(set + [override(load)])
    }
  }

  /// How many items of the first workload arrive: from 1 up to the largest power of ten that is allowed.
  init(ofFirstWorkloadIn source: ScenarioSource, _ set: [Override]) throws(ToolError) {
    let workloads = try source.scenario(set).workloads
    guard let workload = workloads.first else {
      throw ToolError(
        .usage, "the scenario has no workload; --vary PATH=A..B says what is the load")
    }
    let (key, unit) = try Self.load(of: workload)
    let path = "workloads.\(workload.fileName).arrival.\(key)"
    var last = 1_000_000
    while last > 1 {
      let isAllowed =
        (try? source.scenario(set + [Override(path: path, value: "\(last)\(unit)")])) != nil
      if isAllowed { break }
      last /= 10
    }
    // Copies share the load, of which each must have some.
    let first = workloads.count { $0.copyOf != nil && $0.copyOf == workload.copyOf }
    let range = min(max(first, 1), last)...last
    self.init(Variation(path: path, values: .range(range, unit: unit)), range, unit)
  }

  private init(_ variation: Variation, _ range: ClosedRange<Int>, _ unit: String) {
    self.variation = variation
    self.range = range
    self.unit = unit
  }

  /// The change that gives the scenario this load.
  func override(_ load: Int) -> Override { variation.override("\(load)\(unit)") }

  private static func load(
    of workload: Workload
  ) throws(ToolError) -> (key: String, unit: String) {
    switch workload.arrival {
    case .once: return ("once", "")
    case .batch: return ("batch", "")
    case .rate: return ("rate", "/s")
    case .at:
      throw ToolError(
        .usage,
        "'\(workload.name)' arrives at given instants; --vary PATH=A..B says what is the load")
    }
  }
}
