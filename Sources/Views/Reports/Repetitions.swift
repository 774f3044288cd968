internal import FrameBudget
internal import FrameBudgetParsing

/// A result that may be repeated.
protocol Repeatable: Sendable {
  associatedtype Rank: Comparable

  /// How it ended.
  var ending: RunLog.Status { get }
  /// Its place among its repetitions, the best first.
  var rank: Rank { get }
}

/// All results of one subject, and the one that represents them in every view.
///
/// The figures of one run are consistent, unlike medians of each figure. A view that shows something else than the
/// representative's figures says so.
struct Repetitions<Run: Repeatable>: Sendable {
  /// In their order; at least one.
  let all: [Run]
  /// Those that count, the best first: the complete ones, or all if none is complete.
  private let ranked: [Run]

  /// Nil for no results.
  init?(_ all: [Run]) {
    guard !all.isEmpty else { return nil }
    let complete = Self.complete(all)
    self.all = all
    ranked = (complete.isEmpty ? all : complete).enumerated().sorted { left, right in
      (left.element.rank, left.offset) < (right.element.rank, right.offset)
    }.map(\.element)
  }

  /// The results that ran to their ends and broke no invariant.
  static func complete(_ all: [Run]) -> [Run] { all.filter { $0.ending == .complete } }

  /// The result with the median rank, and of two the worse: a verdict is not better than what was measured.
  var representative: Run { ranked[ranked.count / 2] }

  /// Those that count.
  var counted: [Run] { ranked }

  var count: Int { ranked.count }

  /// The values of the results that count, from the smallest to the largest; nil if none has a value.
  func range<Value: Comparable>(of value: (Run) -> Value?) -> ClosedRange<Value>? {
    let values = ranked.compactMap(value)
    guard let least = values.min(), let most = values.max() else { return nil }
    return least...most
  }

  /// `1 interrupted run does not count`; nil if all count.
  var omission: String? {
    guard ranked.count < all.count else { return nil }
    let kinds = [RunLog.Status.interrupted, .invalid].compactMap { status -> String? in
      let count = all.count { $0.ending == status }
      return count == 0 ? nil : English.count(count, "\(status.rawValue) run")
    }
    let verb = all.count - ranked.count == 1 ? "does" : "do"
    return "\(English.list(kinds)) \(verb) not count"
  }
}

/// The rank of a run: by frames that the app dropped, then late responses, then undone items, then all dropped frames.
struct RunRank: Comparable {
  private let parts: (Int, Int, Int, Int)

  init(ownDrops: Int, late: Int, left: Int, dropped: Int) {
    parts = (ownDrops, late, left, dropped)
  }

  static func < (left: Self, right: Self) -> Bool { left.parts < right.parts }
  static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }
}

/// The seeds of several runs, in words.
struct Seeds: CustomStringConvertible {
  /// Each once, in their order.
  private let seeds: [String]
  /// More would hide the rest of a line.
  private static let most = 4

  init(_ seeds: [String]) { self.seeds = seeds.distinct().filter { !$0.isEmpty } }

  var isEmpty: Bool { seeds.isEmpty }
  /// What they are called: `seed`, `seeds`.
  var name: String { seeds.count == 1 ? "seed" : "seeds" }

  /// `7`, `1 to 60`, `3, 8 and 11`, or `20 different ones`
  var list: String {
    if isRow, let first = seeds.first, let last = seeds.last { return "\(first) to \(last)" }
    return isLong ? "\(seeds.count) different ones" : English.list(seeds)
  }

  private var isLong: Bool { seeds.count > Self.most && !isRow }

  /// Whether each is the one after the seed before it.
  private var isRow: Bool {
    let numbers = seeds.compactMap(InputNumber.seed)
    return numbers.count == seeds.count && numbers.count > 1
      && zip(numbers, numbers.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 == 1 }
  }

  /// `seed 7`, `seeds 1 to 60`, `20 seeds`
  var description: String { isLong ? "\(seeds.count) seeds" : "\(name) \(list)" }
}
