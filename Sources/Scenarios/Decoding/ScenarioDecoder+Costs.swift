import FrameBudget

extension ScenarioDecoder {
  /// What stands in a service's place where it is meant of all that takes a processor.
  private static let everything = "all"

  /// `{all: 1.2, SERVICE: 1.5}`: how many times as much it costs as the rest of the file says. What has both has their
  /// product.
  func costing(_ scenario: Scenario, _ node: SourceNode, _ services: [Service]) -> Scenario {
    let keys = [Self.everything] + services.map(\.name)
    guard let fields = Fields(node, of: "costs", keys: keys, faults) else { return scenario }
    var scenario = scenario
    for (index, service) in scenario.services.indexed {
      guard let factor = fields.optional(service.name, .costFactor), service.name != Self.everything
      else { continue }
      scenario = scenario.costing(factor, in: [index])
    }
    return fields.optional(Self.everything, .costFactor).map(scenario.costing) ?? scenario
  }
}
