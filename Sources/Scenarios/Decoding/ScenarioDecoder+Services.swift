import FrameBudget

extension ScenarioDecoder {
  /// The services; nil if they cannot even be counted, so that references to them are not judged.
  ///
  /// Accounts are those that services name, in the order in which they do.
  func services(_ fields: Fields, accounts: inout [String]) -> [Service]? {
    guard let node = fields["services"] else { return fields.isDecided("services") ? [] : nil }
    guard let pairs = node.mapping(of: "a mapping of names to {state: N records}", faults)
    else { return nil }
    faults.recordExcess("service", pairs, limit: Limits.services)
    var records = 0
    return pairs.map { pair in
      var service = Service(name: faults.name(of: pair))
      let keys = ["state", "account"]
      if let fields = Fields(pair.value, of: "a service", keys: keys, faults) {
        service.records = state(fields, &records)
        service.account = account(fields, &accounts)
      }
      return service
    }
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
        "the services' states have more than \(Limits.records) records; allowed are so many "
          + "together", at: fields["state"]?.origin ?? fields.origin)
    }
    return records
  }

  func reads(_ fields: Fields, _ services: NameTable<Service>?) -> [UIRead]? {
    fields["reads"]?
      .items(of: "reads {service: NAME, cpu: DURATION}", limit: Limits.reads, faults)?
      .compactMap { read($0, services) }
  }

  private func read(_ node: SourceNode, _ services: NameTable<Service>?) -> UIRead? {
    guard let fields = Fields(node, of: "a read", keys: ["service", "cpu"], faults) else {
      return nil
    }
    let service = fields.required("service", "the name of a service")
      .flatMap { services?.index(of: $0, faults) }
    let cpu = fields.required("cpu", "a duration or a distribution").flatMap(distribution)
    guard let service, let cpu else { return nil }
    return UIRead(service: service, cpu: cpu)
  }
}

extension Faults {
  /// A key that is a name; what is wrong with it is recorded.
  func name(of pair: SourceNode.Pair) -> String {
    let key = SourceNode(origin: pair.origin, content: .scalar(pair.key, isPlain: false))
    return ScalarReader.name.value(of: key, self) ?? pair.key
  }
}
