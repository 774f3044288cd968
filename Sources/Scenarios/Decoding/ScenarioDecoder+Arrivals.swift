import FrameBudget

extension ScenarioDecoder {
  /// `{once: N}`, `{batch: N, every: T}`, `{every: T}`, `{rate: N/s}`, each with `start`, or
  /// `{at: [T, …]}`, or `{recorded: FILE, column: NAME}`.
  func arrival(_ node: SourceNode) -> Arrival? {
    if node.pairs?.contains(where: { $0.key == "recorded" }) == true {
      return recordedArrival(node)
    }
    let keys = ["once", "batch", "every", "rate", "at", "start", "recorded", "column"]
    guard let fields = Fields(node, of: "an arrival", keys: keys, faults) else { return nil }
    let given = fields.present(["once", "every", "rate", "at"])
    guard let kind = given.first else {
      fields.recordMissing(
        "this does not say when items arrive; allowed is one of once, every, rate, at, recorded")
      return nil
    }
    if given.count > 1 {
      faults.record(
        "an arrival has both \(kind) and \(given[1]); allowed is one of them",
        at: fields.origin(of: given[1]))
    }
    refuse("batch", beside: kind, unless: ["every"], fields)
    refuse("start", beside: kind, unless: ["once", "every", "rate"], fields)
    return arrival(kind, fields)
  }

  /// A column of instants in a file, from time 0.
  private func recordedArrival(_ node: SourceNode) -> Arrival? {
    guard case .recorded(let column) = recorded(node, as: "a recorded arrival") else { return nil }
    return .recorded((0..<column.count).map { column[$0] })
  }

  private func refuse(
    _ key: String, beside kind: String, unless allowed: [String], _ fields: Fields
  ) {
    guard fields[key] != nil, !allowed.contains(kind) else { return }
    faults.record(
      "'\(key)' stands beside '\(kind)'; allowed is '\(key)' beside \(allowed.list)",
      at: fields.origin(of: key))
  }

  private func arrival(_ kind: String, _ fields: Fields) -> Arrival? {
    let start = fields.optional("start", .duration) ?? .zero
    switch kind {
    case "once": return fields.required("once", .itemCount).map { .once($0, start: start) }
    case "rate":
      return fields.required("rate", .itemsPerSecond).map { .rate(perSecond: $0, start: start) }
    case "every":
      let batch = fields["batch"] == nil ? 1 : fields.required("batch", .itemCount)
      let every = fields.required("every", .positiveDuration)
      guard let batch, let every else { return nil }
      return .batch(batch, every: every, start: start)
    default: return fields["at"].flatMap(instants).map { .at($0) }
    }
  }

  private func instants(_ node: SourceNode) -> [TimeSpan]? {
    guard let nodes = node.items(of: "instants", limit: Limits.items, faults) else { return nil }
    var order = TimeOrder(faults)
    return nodes.compactMap { order.instant($0) }
  }

  /// Refuses more items than a run can keep, without counting them one by one.
  func checkItems(_ scenario: Scenario, _ fields: Fields) {
    guard case .sequence(let nodes) = fields["workloads"]?.content,
      nodes.count == scenario.workloads.count
    else { return }
    var left = Limits.items
    for (workload, node) in zip(scenario.workloads, nodes) {
      left -= ArrivalSchedule.count(
        of: workload, before: .zero + scenario.duration, seed: scenario.seed, limit: left + 1)
      if left < 0 {
        let arrival = node.pairs?.first { $0.key == "arrival" }?.value
        faults.record(
          "more than \(Limits.items) items arrive in \(scenario.duration); allowed are so many in "
            + "all workloads together", at: arrival?.origin ?? node.origin)
        return
      }
    }
  }
}

extension ScalarReader<Int> {
  fileprivate static var itemCount: Self { wholeNumber(in: 1...Limits.items) }
}
