internal import FrameBudget

// Which layouts there are, and what each comes to.
extension Ground {
  /// All placements without a change of rules, in the order of the units' choices, the last unit turning fastest; only
  /// the first `limit`. New lanes are alike, so the first that a unit is on is number 0.
  func layouts(limit: Int) -> [Layout] {
    var found: [Layout] = []
    var homes: [Home] = []
    func extend(_ used: Int) {
      guard found.count < limit else { return }
      guard homes.count < units.count else { return found += carried(Layout(homes: homes)) }
      for choice in choices[homes.count] {
        guard case .newLane = choice else {
          homes.append(choice)
          extend(used)
          homes.removeLast()
          continue
        }
        for number in 0..<min(used + 1, mostNewLanes) {
          homes.append(.newLane(number))
          extend(max(used, number + 1))
          homes.removeLast()
        }
      }
    }
    extend(0)
    return Array(found.prefix(limit))
  }

  /// A layout on each carrier that its new lanes may be on.
  func carried(_ layout: Layout) -> [Layout] {
    guard layout.newLanes > 0 else { return [layout] }
    return request.carriers.indices.map { carrier in
      var layout = layout
      layout.carrier = carrier
      return layout
    }
  }

  /// What runs where under `layout`; nil where that cannot be.
  func arrangement(_ layout: Layout) -> Arrangement? {
    let isInPlace = layout.homes.allSatisfy { $0 == .today }
    var arrangement = isInPlace ? today : ArrangementBuilder(self, layout).arrangement
    for policy in layout.policies {
      guard let changed = policy.applied(to: arrangement, of: scenario) else { return nil }
      arrangement = changed
    }
    do throws(ArrangementError) {
      try arrangement.validate(for: scenario)
    } catch {
      return nil
    }
    let conflicts = arrangement.lockOrderConflicts(in: scenario).count
    return conflicts <= today.lockOrderConflicts(in: scenario).count ? arrangement : nil
  }
}
