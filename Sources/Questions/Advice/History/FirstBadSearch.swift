/// The search for the first bad one in a line of commits of which the last one is bad and the one before all is good, by halves.
package struct FirstBadSearch: Sendable {
  package enum Judgement: Sendable { case good, bad, undecided }

  /// The newest place that is known to be good, or -1 for the one before all.
  package private(set) var good = -1
  /// The oldest place that is known to be bad.
  package private(set) var bad: Int
  /// The places between them that could not be judged.
  private var undecided: Set<Int> = []

  /// A line of `count` commits, at least one.
  package init(count: Int) { bad = count - 1 }

  /// The place to judge next: the one nearest to the middle. Nil if none is left.
  package var next: Int? {
    let middle = good + (bad - good) / 2
    return ((good + 1)..<max(good + 1, bad)).filter { !undecided.contains($0) }
      .min { abs($0 - middle) < abs($1 - middle) }
  }

  package mutating func note(_ judgement: Judgement, at place: Int) {
    switch judgement {
    case .good: good = max(good, place)
    case .bad: bad = min(bad, place)
    case .undecided: undecided.insert(place)
    }
  }

  /// The places of which one is the first bad one; a single one unless some between could not be judged.
  package var suspects: ClosedRange<Int> { (good + 1)...bad }
}
