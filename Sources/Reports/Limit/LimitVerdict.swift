internal import FrameBudget

/// How much each strategy bears and what ends it, in a sentence; the one that bears most first.
struct LimitVerdict {
  private let rows: [(label: String, outcome: LoadSearch.Outcome, end: Int)]
  /// What the load is counted in, where the scenario says it: `photo`.
  private let item: String?
  /// More than these nobody reads in a sentence; the table below has them all.
  private static let most = 6

  init(_ rows: [LimitRow]) {
    self.rows = rows.enumerated().sorted { left, right in
      (right.element.outcome.largest ?? Int.min, left.offset)
        < (left.element.outcome.largest ?? Int.min, right.offset)
    }.map { (LimitReport.label($1, among: rows), $1.outcome, $1.range.upperBound) }
    item = rows.first?.item
  }

  /// `threads-and-locks bears 3461 photos (at 3462 work is left undone) and main-thread 2 (at 3 frames are dropped).`
  var text: String {
    let parts = rows.prefix(Self.most).enumerated().map { place, row in
      "\(row.label) \(place == 0 ? "bears " : "")\(words(row.outcome, row.end, isFirst: place == 0))"
    }
    return English.list(parts) + others + "."
  }

  /// For programs: the sentence, and the strategy that bears most.
  var json: JSON {
    let most = rows.first { $0.outcome.largest != nil }
    return .object([
      ("sentences", .array(rows.isEmpty ? [] : [.text(text)])),
      (RunKey.strategy.name, most.map { .text($0.label) } ?? .null),
      ("largest", most?.outcome.largest.map { .number(String($0)) } ?? .null),
    ])
  }

  private func words(_ outcome: LoadSearch.Outcome, _ last: Int, isFirst: Bool) -> String {
    guard let end = outcome.end else { return "all that was tried, up to \(last)" }
    guard let largest = outcome.largest else {
      return "nothing (at \(end.load) \(end.overload.happening))"
    }
    let load = isFirst ? item.map { English.count(largest, $0) } : nil
    return "\(load ?? String(largest)) (at \(end.load) \(end.overload.happening))"
  }

  private var others: String {
    let rest = rows.dropFirst(Self.most)
    guard let most = rest.first, let least = rest.last else { return "" }
    let loads = [least, most].map { $0.outcome.largest.map(String.init) ?? "nothing" }
    let range = loads[0] == loads[1] ? loads[0] : "\(loads[0]) to \(loads[1])"
    return "; \(rest.count == 1 ? "one other bears" : "\(rest.count) others bear") \(range)"
  }
}

extension Overload {
  /// `frames are dropped`
  fileprivate var happening: String {
    switch self {
    case .droppedFrames: "frames are dropped"
    case .growingBacklog: "work piles up"
    case .unfinished: "work is left undone"
    case .lateResponses: "responses come late"
    }
  }
}
