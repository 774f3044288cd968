import FrameBudget

/// The names that steps refer to; nil if they cannot be counted, so that references to them are not checked.
struct StepNames {
  let services: NameTable<Service>?
  let resources: NameTable<Resource>?
}

extension ScenarioDecoder {
  /// `{NAME: {parallel: N}}`; nil if they cannot be counted.
  func resources(_ fields: Fields) -> [Resource]? {
    guard let node = fields["resources"] else { return fields.isDecided("resources") ? [] : nil }
    guard let pairs = node.mapping(of: "a mapping of names to {parallel: N}", faults)
    else { return nil }
    faults.recordExcess("resource", pairs, limit: Limits.resources)
    return pairs.map { pair in
      let parallel = Fields(pair.value, of: "a resource", keys: ["parallel"], faults)?
        .required("parallel", .wholeNumber(in: 1...Limits.parallelWaits))
      return Resource(name: faults.name(of: pair), parallel: parallel ?? 1)
    }
  }

  /// A cost, or `{on: RESOURCE, for: COST}`.
  func suspension(_ node: SourceNode, _ resources: NameTable<Resource>?) -> Suspension? {
    let isLimited = node.pairs?.contains { $0.key == "on" || $0.key == "for" } ?? false
    guard isLimited else { return distribution(node).map { Suspension($0) } }
    guard let fields = Fields(node, of: "suspend", keys: ["on", "for"], faults) else { return nil }
    let resource = fields.required("on", "the name of a resource")
      .flatMap { resources?.index(of: $0, faults) }
    let span = fields.required("for", "a duration or a distribution").flatMap(distribution)
    guard let resource, let span else { return nil }
    return Suspension(span, on: resource)
  }
}
