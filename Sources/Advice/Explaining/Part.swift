internal import FrameBudget

/// A part of an app that frames may be dropped for.
public enum Part: Hashable, Sendable, CustomStringConvertible {
  /// The steps of a service, and the size of its state.
  case service(String)
  /// All items of a workload.
  case workload(String)
  /// The screen and what it takes: drawing, the second stage, reads, results.
  case drawing
  /// What arrives, when, and who waits for it.
  case arrivals
  /// What runs where.
  case arrangement
  /// Length, seed, machine and accounts.
  case settings

  /// As a table names it.
  public var description: String {
    switch self {
    case .service(let name): "service \(name)"
    case .workload(let name): "workload \(name)"
    case .drawing: "drawing"
    case .arrivals: "arrivals"
    case .arrangement: "arrangement"
    case .settings: "settings"
    }
  }
}

extension Scenario {
  /// The app without what `part` takes; nothing else changes.
  func without(_ part: Part) -> Scenario {
    var scenario = self
    for index in workloads.indices {
      switch part {
      case .service(let name): scenario.workloads[index].empty(stepsOf: name, in: self)
      case .workload(let name) where workloads[index].fileName == name:
        scenario.workloads[index].arrival = .at([])
      case .drawing: scenario.workloads[index].result = .none
      default: break
      }
    }
    if part == .drawing {
      scenario.display.render = .none
      scenario.display.pipeline.compositor = .none
      for read in reads.indices { scenario.reads[read].cpu = .none }
    }
    return scenario
  }
}

extension Workload {
  fileprivate mutating func empty(stepsOf service: String, in scenario: Scenario) {
    for step in steps.indices where scenario.services[steps[step].service].fileName == service {
      steps[step].load = .cpu(.none)
      steps[step].wait = .zero
    }
  }
}
