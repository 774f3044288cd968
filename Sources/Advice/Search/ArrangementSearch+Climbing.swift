internal import FrameBudget

// Where there are too many placements to try all: from the best one that was not looked around yet, one step in each
// direction; from several beginnings, of which the later ones are drawn.
extension ArrangementSearch {
  /// So many are run at most.
  static var mostRuns: Int { 3000 }
  /// Steps without anything better, after which it begins elsewhere.
  static var patience: Int { 6 }
  private static var draws: Int { 3 }

  mutating func climb() {
    var stream = RandomStream(seed: ground.request.seed, name: "advice")
    var expanded: Set<Layout> = []
    climb(from: beginnings, &expanded)
    for _ in 0..<Self.draws where !count.isCut && count.tried < Self.mostRuns {
      climb(from: [drawn(&stream)], &expanded)
    }
  }

  /// All on one lane, and each cluster on one, as far as they may.
  private var beginnings: [Layout] {
    let here = Layout(homes: ground.choices.map { $0.first ?? .today })
    let all = Array(ground.units.indices)
    return ([all] + ground.clusters).compactMap { group in
      moved(here, all: group.filter { mayMove($0, to: .newLane(0)) }, to: .newLane(0))
    }
  }

  private func drawn(_ stream: inout RandomStream) -> Layout {
    let homes = ground.choices.map { choices -> Home in
      let home = choices[Int(stream.unit() * Double(choices.count))]
      guard case .newLane = home else { return home }
      return .newLane(Int(stream.unit() * Double(max(1, ground.mostNewLanes))))
    }
    return Layout(homes: homes).canonical
  }

  private mutating func climb(from beginnings: [Layout], _ expanded: inout Set<Layout>) {
    var front: [Trial] = beginnings.isEmpty ? [] : [today]
    let before = trials.count
    tryAll(beginnings.flatMap { ground.carried($0) }.compactMap { candidate($0) })
    front += trials[before...]
    var idle = 0
    while idle < Self.patience, !count.isCut, count.tried < Self.mostRuns {
      let scale = scale
      let open = front.filter { trial in trial.layout.map { !expanded.contains($0) } ?? false }
      guard let next = open.min(by: { $0.isBetterStart(than: $1, scale) }), let layout = next.layout
      else { return }
      expanded.insert(layout)
      let best = front.min { $0.isBetterStart(than: $1, scale) }
      let first = trials.count
      tryAll(neighbours(of: layout).compactMap { candidate($0) })
      front += trials[first...]
      let isBetter = best.map { best in
        trials[first...].contains { $0.isBetterStart(than: best, scale) }
      }
      idle = isBetter ?? true ? 0 : idle + 1
    }
  }

  /// Every unit, and every cluster as a whole, at every other place.
  private func neighbours(of layout: Layout) -> [Layout] {
    let groups = ground.units.indices.map { [$0] } + ground.clusters
    var found: [Layout] = []
    for group in groups {
      for choice in places(after: layout) {
        guard let layout = moved(layout, all: group, to: choice) else { continue }
        found.append(layout)
      }
    }
    return found
  }

  /// Wherever anything may go from `layout`: to what is there, and to one new lane more.
  private func places(after layout: Layout) -> [Home] {
    var places: [Home] = []
    for choice in ground.choices.joined() where !places.contains(choice) {
      if case .newLane = choice { continue }
      places.append(choice)
    }
    let lanes = min(layout.newLanes + 1, ground.mostNewLanes)
    return places + (0..<lanes).map(Home.newLane)
  }

  /// Nil where one of them may not live there.
  private func moved(_ layout: Layout, all units: [Int], to home: Home) -> Layout? {
    var layout = layout
    for unit in units {
      guard mayMove(unit, to: home) else { return nil }
      layout.homes[unit] = home
    }
    return layout.canonical
  }

  private func mayMove(_ unit: Int, to home: Home) -> Bool {
    ground.choices[unit].contains { choice in
      if case (.newLane, .newLane) = (choice, home) { true } else { choice == home }
    }
  }
}

extension Trial {
  fileprivate func isBetterStart(than other: Trial, _ scale: [Double]) -> Bool {
    outcome.meets || other.outcome.meets
      ? isPreferred(to: other) : isNearer(than: other, scale: scale)
  }
}
