// What follows from where services live, for whoever says nothing else.
extension Arrangement {
  /// The way to read that the placement of what the UI reads allows.
  public func fittingReading(_ scenario: Scenario) -> Reading {
    let read = scenario.reads.map { placement[$0.service] }
    if read.allSatisfy({ $0 == .home(.main) }) { return .direct }
    let isGuarded = read.contains { if case .guarded = $0 { true } else { false } }
    return isGuarded ? .locked : .snapshot(.standard)
  }

  /// In place where everything ends on main, otherwise within two milliseconds of each frame.
  public func fittingReturning(_ scenario: Scenario) -> Returning {
    endsOnMain(scenario) ? .inPlace : .drained(budget: Returning.standardBudget)
  }
}
