import Testing

@testable import Advice

/// Changes that are smaller than what is advised first, by one service that stays.
enum SmallerChange {
  /// The services that could have stayed: the aims are met all the same.
  static func services(_ advice: Advice) throws -> [String] {
    let (request, ground) = (advice.request, Ground(advice.request))
    let first = try #require(advice.proposals.first?.trial)
    let layout = try #require(first.layout)
    let judge = Judge(scenario: request.scenario, costs: request.costs, aims: advice.aims.list)
    return ground.units.indices.filter { unit in
      guard layout.homes[unit] != .today else { return false }
      var fewer = layout
      fewer.homes[unit] = .today
      guard let arrangement = ground.arrangement(fewer.canonical) else { return false }
      return ground.change(to: arrangement).weight(request.weights) < first.weight
        && judge.outcome(arrangement).meets
    }.map { ground.units[$0].name }
  }
}
