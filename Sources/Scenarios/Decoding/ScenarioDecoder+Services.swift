import FrameBudget

extension ScenarioDecoder {
  /// The services; nil if they cannot even be counted, so that references to them are not judged.
  func services(_ fields: Fields) -> [Service]? {
    guard let node = fields["services"] else { return [] }
    guard let pairs = node.mapping(of: "a mapping of names to {state: N records}", faults)
    else { return nil }
    faults.recordExcess("service", pairs, limit: Limits.services)
    var records = 0
    return pairs.map { service($0, &records) }
  }

  private func service(_ pair: SourceNode.Pair, _ total: inout Int) -> Service {
    let name = faults.name(of: pair)
    guard let fields = Fields(pair.value, of: "a service", keys: ["state"], faults),
      let records = fields.optional("state", .records)
    else { return Service(name: name) }
    total += records
    if total > Limits.records {
      faults.record(
        "the services' states have more than \(Limits.records) records; allowed are so many "
          + "together", at: fields["state"]?.origin ?? fields.origin)
    }
    return Service(name: name, records: records)
  }

  func reads(_ node: SourceNode, _ services: NameTable?) -> [UIRead]? {
    Fields(node, of: "ui", keys: ["reads"], faults)?["reads"]?
      .items(of: "reads {service: NAME, cpu: DURATION}", limit: Limits.reads, faults)?
      .compactMap { read($0, services) }
  }

  private func read(_ node: SourceNode, _ services: NameTable?) -> UIRead? {
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
