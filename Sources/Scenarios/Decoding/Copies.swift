import FrameBudget

/// As how many a workload stands, and which services each of them has for itself.
struct Copies {
  let count: Int
  let own: [ServiceIndex]
  let origin: Origin
}

/// A scenario with the copies that its file asks for, and where to find them.
///
/// Engines and results know nothing of it: to them, copies are workloads and services like any other. Copies are
/// numbered from 1, even a single one, so that the rows of a sweep over their number have the same names.
struct Expansion {
  private(set) var scenario: Scenario
  /// As the file has it.
  let declared: Scenario
  /// What became of each service of the file.
  private(set) var services: PerService<Range<ServiceIndex>> = []
  private(set) var workloads: PerWorkload<Range<WorkloadIndex>> = []

  init(of scenario: Scenario, _ copies: [Copies?]) {
    declared = scenario
    self.scenario = scenario
    self.scenario.services = []
    self.scenario.workloads = []
    for index in scenario.services.indices {
      let owner = copies.compactMap(\.self).first { $0.own.contains(index) }
      append(scenario.services[index], copies: owner?.count)
    }
    for (workload, copies) in zip(scenario.workloads, copies) { append(workload, copies) }
    for place in scenario.reads.indices {
      let service = scenario.reads[place].service
      self.scenario.reads[place].service = services[service].lowerBound
    }
  }

  private mutating func append(_ service: Service, copies count: Int?) {
    let first = scenario.services.endIndex
    for copy in 0..<(count ?? 1) {
      var service = service
      if count != nil {
        service.copyOf = service.name
        service.name += "-\(copy + 1)"
      }
      scenario.services.append(service)
    }
    services.append(first..<scenario.services.endIndex)
  }

  private mutating func append(_ workload: Workload, _ copies: Copies?) {
    let first = scenario.workloads.endIndex
    for copy in 0..<(copies?.count ?? 1) {
      var workload = workload
      for step in workload.steps.indices {
        let service = workload.steps[step].service
        let isOwn = copies?.own.contains(service) ?? false
        workload.steps[step].service = services[service].lowerBound.advanced(by: isOwn ? copy : 0)
      }
      if let copies {
        workload.copyOf = workload.name
        workload.name += "-\(copy + 1)"
        workload.arrival = workload.arrival.share(copy, among: copies.count)
      }
      scenario.workloads.append(workload)
    }
    workloads.append(first..<scenario.workloads.endIndex)
  }
}

extension Arrival {
  /// Among how many it can be shared so that each has an item; nil for any number.
  var mostShares: Int? {
    switch self {
    case .once(let count, _), .batch(let count, _, _): count
    case .rate: nil
    case .at(let instants): instants.count
    }
  }

  /// What one of `count` gets if items are dealt out in turn.
  func share(_ place: Int, among count: Int) -> Arrival {
    func dealt(_ items: Int) -> Int { items / count + (place < items % count ? 1 : 0) }
    switch self {
    case .once(let items, let start): return .once(dealt(items), start: start)
    case .batch(let items, let every, let start):
      return .batch(dealt(items), every: every, start: start)
    case .rate(let rate, let start): return .rate(perSecond: rate / Double(count), start: start)
    case .at(let instants):
      return .at(stride(from: place, to: instants.count, by: count).map { instants[$0] })
    }
  }
}
