internal import FrameBudget

extension Ground {
  /// What to do, each as a few words: services that go to one place together.
  func words(for change: Change, _ arrangement: Arrangement, _ policies: [Policy]) -> [String] {
    var places: [String] = []
    var names: [String: [String]] = [:]
    for unit in units where change.moved.contains(unit.name) {
      let place = place(of: unit, in: arrangement)
      if names[place] == nil { places.append(place) }
      names[place, default: []].append(unit.name)
    }
    return places.map { place in
      let units = names[place] ?? []
      let list = Self.list(units)
      if place.isEmpty { return "guard \(list) with \(units.count == 1 ? "a lock" : "locks")" }
      return "move \(list) to \(place)"
    } + policies.map(\.words)
  }

  /// Empty for a lock.
  private func place(of unit: AppUnit, in arrangement: Arrangement) -> String {
    let homes = Set(unit.services.map { arrangement.placement[$0] })
    guard case .home(let index) = homes.first else { return "" }
    if homes.count > 1 { return "lanes of their own" }
    let lane = arrangement.lanes[index]
    return index == .main ? lane.name : "lane \(lane.name)"
  }

  /// `a`, `a and b`, `a, b and c`.
  static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
