import Testing

@testable import FrameBudgetAdvice

/// Changes that are smaller than the first advice, by one service that stays.
enum SmallerChange {
  /// The services that could have stayed: the aims are met all the same.
  static func services(_ advice: Advice) throws -> [String] {
    let (request, space) = (advice.request, SearchSpace(advice.request))
    let first = try #require(advice.proposals.first?.trial)
    let layout = try #require(first.layout)
    let runner = ArrangementRunner(
      scenario: request.scenario, costs: request.costs, aims: advice.aims.list)
    return space.units.indices.filter { unit in
      guard layout.homes[unit] != .today else { return false }
      var fewer = layout
      fewer.homes[unit] = .today
      guard let arrangement = space.arrangement(fewer.canonical) else { return false }
      return space.change(to: arrangement).weight(request.weights) < first.weight
        && runner.outcome(arrangement).meets
    }.map { space.units[$0].name }
  }
}
