internal import FrameBudget

/// The searches for one strategy's largest load on one engine, of which the middle one stands for all.
struct RepeatedSearch {
  /// What was found least first.
  private let found: [LimitRow]

  /// Of an even number the one that found less.
  var typical: LimitRow { found[(found.count - 1) / 2] }
  var count: Int { found.count }
  /// What the searches found, where that differs: `430 to 470`.
  var spread: String {
    guard let least = found.first, let most = found.last, least.found != most.found else {
      return ""
    }
    return "\(least.found) to \(most.found)"
  }

  /// In the order in which the strategies first appear.
  static func grouped(_ rows: [LimitRow]) -> [RepeatedSearch] {
    var groups: [[LimitRow]] = []
    for row in rows {
      let place = groups.firstIndex {
        $0[0].log.strategy.label == row.log.strategy.label && $0[0].log.engine == row.log.engine
      }
      if let place { groups[place].append(row) } else { groups.append([row]) }
    }
    return groups.map { group in
      RepeatedSearch(
        found: group.sorted { ($0.outcome.largest ?? -1) < ($1.outcome.largest ?? -1) })
    }
  }
}

extension LimitRow {
  /// The largest load in a word.
  var found: String { outcome.largest.map(String.init) ?? "none" }
}
