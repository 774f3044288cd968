import FrameBudget

extension ScenarioDecoder {
  /// The services; nil if they cannot be counted, so that references to them are not checked.
  ///
  /// `accounts` gets the accounts of services, in the order of their first use.
  func services(_ fields: Fields, accounts: inout [String]) -> [Service]? {
    guard let node = fields["services"] else { return fields.isDecided("services") ? [] : nil }
    guard let pairs = node.mapping(of: "a mapping of names to {state: N records}", faults)
    else { return nil }
    faults.recordExcess("service", pairs, limit: Limits.services)
    var records = 0
    return pairs.map { pair in
      var service = Service(name: faults.name(of: pair))
      let keys = ["state", "account", "keep", "exclusive"]
      if let fields = Fields(pair.value, of: "a service", keys: keys, faults) {
        service.records = state(fields, &records)
        service.account = account(fields, &accounts)
        service.isKept = fields.optional("keep", .flag) ?? false
        service.isExclusive = fields.optional("exclusive", .flag) ?? true
        checkState(of: service, fields)
      }
      return service
    }
  }

  /// Several threads inside a service could not change its state safely.
  private func checkState(of service: Service, _ fields: Fields) {
    guard !service.isExclusive, service.records > 0 else { return }
    faults.record(
      "a service with state is exclusive; allowed: 'exclusive: false' without 'state'",
      at: fields.origin(of: "exclusive"))
  }

  private func account(_ fields: Fields, _ accounts: inout [String]) -> AccountIndex? {
    guard let name = fields.optional("account", .name) else { return nil }
    if let index = accounts.firstIndex(of: name) { return AccountIndex(index) }
    accounts.append(name)
    return AccountIndex(accounts.count - 1)
  }

  private func state(_ fields: Fields, _ total: inout Int) -> Int {
    guard let records = fields.optional("state", .records) else { return 0 }
    total += records
    if total > Limits.records {
      faults.record(
        "the services' states have more than \(Limits.records) records; allowed: at most that many "
          + "together", at: fields["state"]?.origin ?? fields.origin)
    }
    return records
  }

  func reads(
    _ fields: Fields, _ names: NameTable<Service>?, _ services: PerService<Service>
  ) -> [UIRead]? {
    fields["reads"]?
      .items(of: "reads {service: NAME, cpu: DURATION}", limit: Limits.reads, faults)?
      .compactMap { read($0, names, services) }
  }

  /// `[{name: bind-rows, cpu: 4 ms, ahead: 12, unit: 1 ms}]`.
  func frameParts(_ fields: Fields) -> [FramePart] {
    let list = fields["frame"]?
      .items(of: "parts of drawing {name: NAME, cpu: DURATION}", limit: Limits.frameParts, faults)
    return unique("frame part", list ?? [], framePart)
  }

  private func framePart(_ node: SourceNode) -> FramePart? {
    guard
      let fields = Fields(
        node, of: "a part of drawing", keys: ["name", "cpu", "ahead", "unit"], faults)
    else { return nil }
    let ahead = fields.optional("ahead", .wholeNumber(in: FramePart.aheads))
    let unit = fields["unit"].flatMap(unit)
    let name = fields.required("name", .name)
    let cpu = fields.required("cpu", "a duration or a distribution").flatMap(distribution)
    guard let name, let cpu else { return nil }
    return FramePart(name: name, cpu: cpu, ahead: ahead, unit: unit)
  }

  private func unit(_ node: SourceNode) -> DurationDistribution? {
    let unit = distribution(node)
    if case .constant(let span) = unit, span < FramePart.shortestUnit {
      faults.record(
        "\(span) is too short; allowed: units from \(FramePart.shortestUnit)", at: node.origin)
    }
    return unit
  }

  private func read(
    _ node: SourceNode, _ names: NameTable<Service>?, _ services: PerService<Service>
  ) -> UIRead? {
    guard let fields = Fields(node, of: "a read", keys: ["service", "cpu"], faults) else {
      return nil
    }
    let service = fields.required("service", "the name of a service")
      .flatMap { names?.index(of: $0, faults) }
    let cpu = fields.required("cpu", "a duration or a distribution").flatMap(distribution)
    guard let service, let cpu else { return nil }
    if !services[service].isExclusive {
      faults.record(
        "\(services[service].name.quoted) has no state to read ('exclusive: false'); allowed: services "
          + "with state", at: fields.origin(of: "service"))
    }
    return UIRead(service: service, cpu: cpu)
  }
}

extension Faults {
  /// A key that is a name; records a fault if it is invalid.
  func name(of pair: SourceNode.Pair) -> String {
    let key = SourceNode(origin: pair.origin, content: .scalar(pair.key, isPlain: false))
    return ScalarReader.name.value(of: key, self) ?? pair.key
  }
}

extension ScenarioDecoder {
  /// Checks `step`, nil if it could not be read, for its relation to forks; `isAnyOpen` is whether an earlier fork has not been
  /// joined.
  func checkParts(_ step: Step?, _ node: SourceNode, _ isAnyOpen: inout Bool) {
    // An unreadable step may have been a fork; it must not cause a second error.
    guard let step else { return isAnyOpen = true }
    if step.joins && !isAnyOpen {
      faults.record(
        "no earlier step is left to join; allowed: 'await: false' in one of them",
        at: node.origin(of: "join"))
    }
    if !step.isAwaited, node.pairs?.contains(where: { $0.key == "calls" }) == true {
      faults.record(
        "'calls' is in a step that is not awaited, so nothing receives their results; "
          + "allowed: steps of their own", at: node.origin(of: "calls"))
    }
    if step.joins { isAnyOpen = false }
    if !step.isAwaited { isAnyOpen = true }
  }

  /// Checks that at most one step answers.
  func checkAnswer(_ step: Step?, _ node: SourceNode, _ hasAnswered: inout Bool) {
    guard let step, step.answers else { return }
    if hasAnswered {
      faults.record(
        "an earlier step answers already; allowed: one step with 'answers: true'",
        at: node.origin(of: "answers"))
    }
    hasAnswered = true
  }
}

extension SourceNode {
  /// The position of `key`; the node's own if the key is missing.
  fileprivate func origin(of key: String) -> Origin {
    pairs?.first { $0.key == key }?.origin ?? origin
  }
}

extension ScenarioDecoder {
  /// `calls: [SERVICE, …]` of a step: it enters these services in turn, at no cost except for the hand-offs.
  func calls(of step: SourceNode, _ services: NameTable<Service>?) -> [Step] {
    guard let node = step.pairs?.first(where: { $0.key == "calls" })?.value,
      let names = node.items(of: "services to call", limit: Limits.steps, faults)
    else { return [] }
    return names.compactMap { name in
      services?.index(of: name, faults).map {
        Step(name: name.text ?? "", service: $0, load: .cpu(.none))
      }
    }
  }
}

extension ScenarioDecoder {
  /// `account: NAME`, the first account that is shown, and `switches: [{at: TIME, to: NAME}]`.
  func accounts(_ names: [String], _ fields: Fields) -> Accounts {
    let table = NameTable<Accounts>("service's account", names)
    let first = fields.optional("account", .name).flatMap {
      table.index(of: $0, at: fields.origin(of: "account"), faults)
    }
    let switches = fields["switches"].map { self.switches($0, table) } ?? []
    return Accounts(names: names, first: first ?? 0, switches: switches)
  }

  private func switches(_ node: SourceNode, _ accounts: NameTable<Accounts>) -> [Accounts.Switch] {
    var order = TimeOrder(faults)
    let nodes =
      node.items(of: "switches {at: TIME, to: ACCOUNT}", limit: Limits.changes, faults) ?? []
    return nodes.compactMap { node in
      guard let fields = Fields(node, of: "a switch", keys: ["at", "to"], faults),
        let at = order.instant(fields.required("at", "a time such as 5 s")),
        let account = fields.required("to", "the account of a service")
          .flatMap({ accounts.index(of: $0, faults) })
      else { return nil }
      return Accounts.Switch(at: at, to: account)
    }
  }
}
