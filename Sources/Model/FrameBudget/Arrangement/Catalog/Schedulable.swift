// The SchedulableObject pattern: mutable objects on a background scheduler, main only draws.

extension StrategyOption {
  static let nice = StrategyOption(
    "nice", default: 10, in: 1...Lane.niceValues.upperBound,
    "nice value of the accounts that are not shown")

  static let moved = StrategyOption(
    "moved", default: 1, in: 1...1_000_000,
    "number of services that leave main, in the order of the file"
  )
}

extension NamedArrangement {
  static let schedulable = NamedArrangement(
    "schedulable", "all services on one background scheduler, UI reads snapshots",
    options: StrategyOption.background
  ) { scenario, options in
    .onOneLane(Lane(name: "background", carrier: .scheduler), scenario, options)
  }

  static let schedulablePriorities = NamedArrangement(
    "schedulable-priorities", "the same, and items with a priority overtake queued ones",
    options: StrategyOption.background
  ) { scenario, options in
    let lane = Lane(name: "background", carrier: .scheduler, overtaking: true)
    return .onOneLane(lane, scenario, options)
  }

  static let schedulableAccounts = NamedArrangement(
    "schedulable-accounts",
    "a scheduler for each account, with a preference for the one that is shown",
    options: [.nice] + StrategyOption.background
  ) { scenario, options in
    let nice = options.count(.nice)
    let accounts = scenario.accounts
    var lanes = accounts.names.indices.map { Lane(of: $0, in: accounts, otherwise: nice) }
    if scenario.services.contains(where: { $0.account == nil }) {
      lanes.append(Lane(name: "background", carrier: .scheduler))
    }
    let placement = scenario.services.map { service in
      let account = service.account ?? accounts.names.endIndex
      return Placement.home(LaneIndex(1 + account.position))
    }
    return .onLanes(lanes, placement, scenario, options)
  }

  static let schedulablePartial = NamedArrangement(
    "schedulable-partial", "the first services on a background scheduler, the rest on main",
    options: [.moved] + StrategyOption.background
  ) { scenario, options in
    let lane = Lane(name: "background", carrier: .scheduler)
    var arrangement = Arrangement.onOneLane(lane, scenario, options)
    for service in scenario.services.indices.dropFirst(options.count(.moved)) {
      arrangement.placement[service] = .home(.main)
    }
    return arrangement
  }

  static let schedulableNaive = NamedArrangement(
    "schedulable-naive", "schedulable on the pattern's first sketch, which polls every 0.1 s",
    options: StrategyOption.background
  ) { scenario, options in
    .onOneLane(Lane(name: "background", carrier: .naive), scenario, options)
  }
}

extension Lane {
  /// The scheduler of an account: it competes like any thread while the user looks at it.
  fileprivate init(of account: AccountIndex, in accounts: Accounts, otherwise nice: Int) {
    let changes = accounts.switches.map { Renice(at: $0.at, to: $0.account == account ? 0 : nice) }
    self.init(name: accounts.names[account], carrier: .scheduler, nice: changes[0].nice)
    for change in changes where change.nice != self.nice(at: change.at) { renices.append(change) }
  }
}
