internal import FrameBudget
internal import Reports

extension Console {
  /// Warns of what never arrives in one of `scenarios`, which are variations of one.
  func warn(of scenarios: some Sequence<Scenario>) {
    var seen: Set<String> = []
    for doubt in scenarios.flatMap(\.missedArrivals) where seen.insert(doubt).inserted {
      note("warning: \(doubt)")
    }
  }

  /// Says beforehand how long something takes in real time, where that is long: `2 runs in real time: about 21 s`.
  func announce(_ what: String, _ bound: String, _ length: TimeSpan) {
    guard length >= .seconds(5) else { return }
    note("\(what) in real time: \(bound) \(Figure.span(milliseconds: length.inMilliseconds))")
  }
}
