public import FrameBudget

/// When workloads first arrive, and what costs are, in one run.
public struct Phases: Hashable, Sendable {
  /// By the name that a workload has in its file: when it first arrives. Others arrive as the scenario says.
  public var starts: [String: TimeSpan] = [:]
  /// Whether every cost that is drawn and has a largest value has that.
  public var hasLargestCosts = false

  /// Those that the scenario states.
  public static let stated = Phases()

  /// `scenario` with these phases.
  public func applied(to scenario: Scenario) -> Scenario {
    var scenario = scenario
    for workload in scenario.workloads.indices {
      guard let start = starts[scenario.workloads[workload].fileName],
        let moved = scenario.workloads[workload].arrival.starting(at: start)
      else { continue }
      scenario.workloads[workload].arrival = moved
    }
    if hasLargestCosts { for site in CostSite.drawn(in: scenario) { site.set(in: &scenario) } }
    return scenario
  }

  /// What `--set` is to say for it, in a fixed order.
  public func changes(of scenario: Scenario) -> [(path: String, value: String)] {
    let arrivals = starts.sorted { $0.key < $1.key }.map { name, start in
      (path: "workloads.\(name).arrival.start", value: "\(start)")
    }
    var costs: [(path: String, value: String)] = []
    guard hasLargestCosts else { return arrivals }
    for site in CostSite.drawn(in: scenario) where !costs.contains(where: { $0.path == site.path })
    {
      costs.append((site.path, "\(site.largest)"))
    }
    return arrivals + costs
  }
}

/// A cost of a scenario that is drawn, and has a largest value.
struct CostSite {
  let path: String
  let largest: TimeSpan
  private let place: WritableKeyPath<Scenario, DurationDistribution>

  func set(in scenario: inout Scenario) { scenario[keyPath: place] = .constant(largest) }

  private init?(
    _ path: String, _ place: WritableKeyPath<Scenario, DurationDistribution>, in scenario: Scenario
  ) {
    let distribution = scenario[keyPath: place]
    guard distribution.fixed == nil, let largest = distribution.largest else { return nil }
    self.path = path
    self.largest = largest
    self.place = place
  }

  /// All of them; copies of a workload share their paths.
  static func drawn(in scenario: Scenario) -> [CostSite] {
    var sites = [
      CostSite("display.render", \.display.render, in: scenario),
      CostSite("display.compositor", \.display.pipeline.compositor, in: scenario),
    ]
    for read in scenario.reads.indices {
      sites.append(CostSite("ui.reads.\(read).cpu", \.reads[read].cpu, in: scenario))
    }
    for index in scenario.workloads.indices {
      let workload = scenario.workloads[index]
      let path = "workloads.\(workload.fileName)"
      sites.append(CostSite("\(path).result.cpu", \.workloads[index].result, in: scenario))
      for step in workload.steps.indices {
        let key = if case .work = workload.steps[step].load { "work" } else { "cpu" }
        sites += [
          CostSite(
            "\(path).steps.\(step).\(key)", \.workloads[index].steps[step].load.time, in: scenario),
          CostSite("\(path).steps.\(step).wait", \.workloads[index].steps[step].wait, in: scenario),
        ]
      }
    }
    return sites.compactMap(\.self)
  }
}

extension Step.Load {
  fileprivate var time: DurationDistribution {
    get { duration }
    set {
      switch self {
      case .cpu: self = .cpu(newValue)
      case .work(_, let bytes): self = .work(newValue, touches: bytes)
      }
    }
  }
}
