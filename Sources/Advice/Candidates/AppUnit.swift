internal import FrameBudget

/// What moves as one: a service, or all copies of one.
struct AppUnit: Hashable, Sendable {
  /// As the file calls it.
  let name: String
  let services: [ServiceIndex]

  /// Those of `scenario`, in the file's order.
  static func all(in scenario: Scenario) -> [AppUnit] {
    var names: [String] = []
    var services: [String: [ServiceIndex]] = [:]
    for (index, service) in scenario.services.indexed {
      let name = service.fileName
      if services[name] == nil { names.append(name) }
      services[name, default: []].append(index)
    }
    return names.map { AppUnit(name: $0, services: services[$0] ?? []) }
  }
}

extension Scenario {
  /// By workload of the file: one that stands for all of its copies, which use the like of the same services.
  var distinctWorkloads: [WorkloadIndex] {
    var seen: Set<String> = []
    return workloads.indexed.compactMap { index, workload in
      seen.insert(workload.fileName).inserted ? index : nil
    }
  }
}
