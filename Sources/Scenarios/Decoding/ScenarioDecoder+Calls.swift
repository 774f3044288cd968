import FrameBudget

extension ScenarioDecoder {
  /// `calls: [SERVICE, …]` of a step: it enters these services in turn, at no cost but that of getting there.
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
