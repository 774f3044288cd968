internal import FrameBudget

/// Where a unit lives in a candidate.
enum Home: Hashable, Sendable {
  /// Where it is; all else is somewhere else.
  case today
  case main
  /// A lane of today's.
  case lane(LaneIndex)
  /// A lane that there is not yet, by its number.
  case newLane(Int)
  /// Behind a lock of its own, on the thread of whoever calls.
  case lock
}

/// A candidate, before it is worked out: by unit, where it lives, and which rules change.
struct Layout: Hashable, Sendable {
  var homes: [Home]
  /// Of the new lanes: a place in the request's carriers.
  var carrier = 0
  var policies: [Policy] = []

  var isToday: Bool { policies.isEmpty && homes.allSatisfy { $0 == .today } }

  /// How many new lanes it has.
  var newLanes: Int {
    (homes.compactMap { if case .newLane(let number) = $0 { number } else { nil } }.max() ?? -1) + 1
  }

  /// The same with new lanes numbered in the order in which units name them, so that equal ones are equal.
  var canonical: Layout {
    var numbers: [Int: Int] = [:]
    var layout = self
    for unit in homes.indices {
      guard case .newLane(let number) = homes[unit] else { continue }
      let place = numbers[number] ?? numbers.count
      numbers[number] = place
      layout.homes[unit] = .newLane(place)
    }
    return layout
  }
}
