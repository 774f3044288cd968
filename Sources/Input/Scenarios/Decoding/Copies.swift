import FrameBudget

/// The number of copies of a workload, and the services that each copy has for itself.
struct Copies {
  let count: Int
  let own: [ServiceIndex]
  let origin: Origin
}

/// A scenario with the copies of its workloads.
///
/// Engines and results treat copies like any other workloads and services. Copies are numbered from 1, even a single one, so
/// that the rows of a sweep over their number have the same names.
struct Expansion {
  private(set) var scenario: Scenario
  /// The scenario as in the file.
  let declared: Scenario
  /// By service of the file: its copies.
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
    for index in scenario.reads.indices {
      let service = scenario.reads[index].service
      self.scenario.reads[index].service = services[service].lowerBound
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
  /// The largest number of shares with at least one item each; nil for any number.
  var maxShares: Int? {
    switch self {
    case .once(let count, _), .batch(let count, _, _): count
    case .rate: nil
    case .at(let instants), .recorded(let instants): instants.count
    }
  }

  /// The share at `index` of `count`, if items are dealt out in turn.
  func share(_ index: Int, among count: Int) -> Arrival {
    func part(_ items: Int) -> Int { items / count + (index < items % count ? 1 : 0) }
    func part(_ instants: [TimeSpan]) -> [TimeSpan] {
      stride(from: index, to: instants.count, by: count).map { instants[$0] }
    }
    switch self {
    case .once(let items, let start): return .once(part(items), start: start)
    case .batch(let items, let every, let start):
      return .batch(part(items), every: every, start: start)
    case .rate(let rate, let start): return .rate(perSecond: rate / Double(count), start: start)
    case .at(let instants): return .at(part(instants))
    case .recorded(let instants): return .recorded(part(instants))
    }
  }
}

extension ScenarioDecoder {
  /// The scenario with its copies; nil once a fault is recorded.
  func expansion(of declared: Scenario, _ fields: Fields) -> Expansion? {
    let copies = copies(in: declared, fields)
    // Too many copies are not created at all.
    checkCounts(copies, in: declared)
    guard faults.isEmpty else { return nil }
    let expansion = Expansion(of: declared, copies)
    checkNames(expansion.scenario, copies)
    return faults.isEmpty ? expansion : nil
  }

  /// `copies: N` and `own: [SERVICE, …]` of each workload; nil for one without copies.
  private func copies(in scenario: Scenario, _ fields: Fields) -> [Copies?] {
    guard case .sequence(let nodes) = fields["workloads"]?.content else { return [] }
    return zip(scenario.workloads.indices, nodes).map { copies($1, of: $0, in: scenario) }
  }

  private func copies(
    _ node: SourceNode, of workload: WorkloadIndex, in scenario: Scenario
  ) -> Copies? {
    guard let fields = Fields(node, of: "a workload", keys: Self.workloadKeys, faults) else {
      return nil
    }
    guard fields["copies"] != nil else {
      if fields["own"] != nil {
        faults.record(
          "'own' needs 'copies'; allowed: 'copies: 8, own: [SERVICE]'",
          at: fields.origin(of: "own"))
      }
      return nil
    }
    let count = fields.required("copies", .wholeNumber(in: 1...Limits.workloads))
    let own = fields["own"].map { self.own($0, workload, scenario) } ?? []
    guard let count, let node = fields["copies"] else { return nil }
    checkShares(of: scenario.workloads[workload].arrival, among: count, at: node.origin)
    return Copies(count: count, own: own, origin: node.origin)
  }

  private func checkShares(of arrival: Arrival, among count: Int, at origin: Origin) {
    guard let most = arrival.maxShares, count > most else { return }
    faults.record(
      "\(count) copies share \(most) items that arrive; allowed: up to \(most) copies",
      at: origin)
  }

  private func own(
    _ list: SourceNode, _ workload: WorkloadIndex, _ scenario: Scenario
  ) -> [ServiceIndex] {
    let table = NameTable<Service>("service", scenario.services.map(\.name))
    let nodes = list.items(of: "services", limit: Limits.services, faults) ?? []
    faults.recordDuplicates(
      "own service", nodes.compactMap { node in node.text.map { ($0, node.origin) } })
    return nodes.compactMap { node in
      guard let service = table.index(of: node, faults) else { return nil }
      checkOwner(of: service, workload, scenario, at: node.origin)
      return service
    }
  }

  /// A service that other workloads use cannot belong to copies, because the copy would be ambiguous.
  private func checkOwner(
    of service: ServiceIndex, _ workload: WorkloadIndex, _ scenario: Scenario, at origin: Origin
  ) {
    let name = scenario.services[service].name.quoted
    let users = scenario.workloads.indices.filter { index in
      scenario.workloads[index].steps.contains { $0.service == service }
    }
    if let other = users.first(where: { $0 != workload }) {
      faults.record(
        "\(name) is used by workload \(scenario.workloads[other].name.quoted) too; allowed: "
          + "services that no other workload uses", at: origin)
    }
    if !users.contains(workload) {
      faults.record(
        "no step of this workload uses \(name); allowed: services that its steps use",
        at: origin)
    }
    if scenario.reads.contains(where: { $0.service == service }) {
      faults.record(
        "\(name) is read by the UI; allowed: services that it does not read", at: origin)
    }
  }

  private func checkCounts(_ copies: [Copies?], in scenario: Scenario) {
    var workloads = scenario.workloads.count
    var services = scenario.services.count
    var records = scenario.services.reduce(0) { $0 + $1.records }
    for copies in copies.compactMap(\.self) {
      let more = copies.count - 1
      workloads += more
      services += more * copies.own.count
      records += more * copies.own.reduce(0) { $0 + scenario.services[$1].records }
      check(workloads, "workloads", Limits.workloads, copies)
      check(services, "services", Limits.services, copies)
      check(records, "records", Limits.records, copies)
    }
  }

  private func check(_ count: Int, _ what: String, _ limit: Int, _ copies: Copies) {
    guard count > limit else { return }
    faults.record(
      "with these copies there are \(count) \(what); allowed: up to \(limit)", at: copies.origin)
  }

  /// Records names of copies that the file also uses for something else.
  private func checkNames(_ scenario: Scenario, _ copies: [Copies?]) {
    guard let origin = copies.compactMap(\.self).first?.origin else { return }
    faults.recordDuplicates("service", scenario.services.map { ($0.name, origin) })
    faults.recordDuplicates("workload", scenario.workloads.map { ($0.name, origin) })
  }
}
