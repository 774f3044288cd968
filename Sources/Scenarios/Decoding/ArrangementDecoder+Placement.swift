import FrameBudget

extension ArrangementDecoder {
  /// `{SERVICE: LANE}` or `{SERVICE: {lock: NAME}}`; a service that is not named stays on main. All copies of a service
  /// go by its name in the file.
  func place(_ node: SourceNode, in arrangement: inout Arrangement) {
    let services = NameTable<Service>("service", expansion.declared.services.map(\.name))
    let lanes = NameTable<Lane>("lane", arrangement.lanes.map(\.name))
    let locks = NameTable<Lock>("lock", arrangement.locks.map(\.name))
    for pair in node.mapping(of: "a mapping of services to lanes or {lock: NAME}", faults) ?? [] {
      guard let service = services.index(of: pair.key, at: pair.origin, faults),
        let placement = placement(pair.value, lanes, locks)
      else { continue }
      for copy in expansion.services[service] { arrangement.placement[copy] = placement }
    }
  }

  private func placement(
    _ node: SourceNode, _ lanes: NameTable<Lane>, _ locks: NameTable<Lock>
  ) -> Placement? {
    if node.text != nil { return lanes.index(of: node, faults).map { .home($0) } }
    return Fields(node, of: "a placement", keys: ["lock"], faults)?
      .required("lock", "the name of a lock").flatMap { locks.index(of: $0, faults) }
      .map { .guarded($0) }
  }

  /// `{WORKLOAD: LANE}`: where items start whose first service is guarded by a lock.
  func enter(_ node: SourceNode, in arrangement: inout Arrangement) {
    let workloads = NameTable<Workload>("workload", expansion.declared.workloads.map(\.name))
    let lanes = NameTable<Lane>("lane", arrangement.lanes.map(\.name))
    for pair in node.mapping(of: "a mapping of workloads to lanes", faults) ?? [] {
      guard let workload = workloads.index(of: pair.key, at: pair.origin, faults),
        let lane = lanes.index(of: pair.value, faults)
      else { continue }
      for copy in expansion.workloads[workload] { arrangement.entry[copy] = lane }
    }
  }
}
