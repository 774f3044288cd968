public import FrameBudget

extension StrategyOutcome {
  /// `none of 600 frames dropped, 9 of 9 taps in time, all work done`, and what frames are shown incomplete or later.
  public var facts: String {
    (smoothness + [undone].compactMap(\.self) + losses).joined(separator: ", ")
  }

  /// The parts without the work: `none of 600 frames dropped`, `9 of 9 taps in time`.
  public var smoothness: [String] { [drops] + responses }

  /// `530 ms so far, by business logic`; if the run is over `530 ms until the end, by business logic`
  public static func hang(of milliseconds: Double, by cause: Cause?, isOver: Bool) -> String {
    "\(Figure.span(milliseconds: milliseconds)) \(isOver ? "until the end" : "so far")"
      + (cause.map { ", by \($0.traits.words)" } ?? "")
  }

  private var drops: String {
    guard expectedFrames > 0 else { return withoutVsyncs ?? "no frame was due" }
    let some = ownDrops > 0 ? String(ownDrops) : "none"
    let details = [row, machineFrames > 0 ? "\(machineFrames) by the machine" : nil]
      .compactMap(\.self).joined(separator: "; ")
    return "\(some) of \(English.count(expectedFrames, "frame")) dropped"
      + (machineFrames > 0 ? " by the app" : "") + (details.isEmpty ? "" : " (\(details))")
  }

  /// The distribution of dropped frames: `6.5 s without a new one`, `up to 8 in a row`; nil for fewer than two, and if the longest
  /// row may be the machine's.
  private var row: String? {
    guard let ownGap else { return nil }
    if hangs > 0 { return "\(Figure.span(milliseconds: ownGap.milliseconds)) without a new one" }
    guard ownDrops > 1 else { return nil }
    return ownGap.vsyncs <= 1 ? "one at a time" : "up to \(ownGap.vsyncs) in a row"
  }

  /// The longest time without a new frame.
  var gap: String { Figure.span(milliseconds: longestGapMilliseconds) }

  /// The work with responses.
  var awaited: [WorkOutcome] {
    WorkOutcome.together(work.filter { $0.late != nil && $0.arrived > 0 })
  }

  /// `2500 photos`, if all work has one item name, otherwise `2509 items`.
  private var items: String {
    let kinds = WorkOutcome.together(work.filter { $0.arrived > 0 })
    return English.count(itemsArrived, kinds.count == 1 ? kinds[0].item ?? "item" : "item")
  }

  private var responses: [String] {
    if awaited.count <= 2 { return awaited.map(\.responses) }
    let arrived = awaited.reduce(0) { $0 + $1.arrived }
    return [
      lateResponses == 0
        ? "none of \(arrived) responses late" : "\(lateResponses) of \(arrived) responses late"
    ]
  }

  /// The problem from the user's view: `hangs for 6.5 s`.
  var complaint: String {
    if hangs > 0, let ownGap {
      let gap = Figure.span(milliseconds: ownGap.milliseconds)
      return hangs == 1 ? "hangs for \(gap)" : "hangs \(hangs) times, for up to \(gap)"
    }
    let row = row.map { ", \($0)" } ?? ""
    var parts: [String] = []
    if ownDrops > 0 {
      parts.append("drops \(ownDrops) of \(English.count(expectedFrames, "frame"))\(row)")
    }
    if lateResponses > 0 { parts.append(lateness) }
    if !parts.isEmpty { return parts.joined(separator: row.isEmpty ? " and " : ", and ") }
    guard itemsLeft > 0 else {
      let shown = [incomplete?.words, later.delay.map { "each \($0)" }].compactMap(\.self)
      return shown.isEmpty ? "stays smooth" : "drops no frame, but shows \(English.list(shown))"
    }
    return "drops no frame, but leaves \(itemsLeft) of \(items) undone"
  }

  /// `answers 6 of 9 taps late`
  private var lateness: String {
    let arrived = awaited.reduce(0) { $0 + $1.arrived }
    guard let first = awaited.first, !first.name.isEmpty else {
      return "is late with \(English.count(lateResponses, "response"))"
    }
    let some = lateResponses == arrived ? "all" : "\(lateResponses) of"
    if awaited.count > 1 { return "is late with \(some) \(arrived) responses" }
    return arrived == 1
      ? "answers the one \(first.response) late"
      : "answers \(some) \(arrived) \(English.plural(first.response)) late"
  }

  private var undone: String? {
    guard itemsArrived > 0 else { return nil }
    guard itemsLeft > 0 else { return "all work done" }
    return "\(itemsLeft) of \(items) left undone"
  }
}

extension WorkOutcome {
  /// `9 of 9 taps in time`, `6 of 9 taps late (the slowest after 5.8 s)`
  fileprivate var responses: String {
    let late = late ?? 0
    guard !name.isEmpty else {
      return late == 0 ? "no response late" : English.count(late, "response") + " late\(longest)"
    }
    let names = English.plural(response)
    if late == 0 {
      if left > 0 { return "none of \(arrived) \(names) late so far" }
      if arrived == 1 { return "the one \(response) \(notDue > 0 ? "not due yet" : "in time")" }
      // A replaced item may wait for the answer of one that is not due.
      if notDue > 0, replaced > 0 {
        return "none of \(arrived) \(names) late (at least \(notDue) not due yet)"
      }
      let rest = notDue > 0 ? " (\(notDue) not due yet)" : ""
      return "\(arrived - notDue) of \(arrived) \(names) in time\(rest)"
    }
    if arrived == 1 { return "the one \(response) late\(longest)" }
    return "\(late) of \(arrived) \(names) late\(longest)"
  }

  private var longest: String {
    guard let slowest else { return "" }
    let span = Figure.span(milliseconds: slowest.value)
    let after = "after \(slowest.isBound ? "at least " : "")\(span)"
    return arrived == 1 && !name.isEmpty ? ", \(after)" : " (the slowest \(after))"
  }
}

extension StrategyPrice {
  /// Kinds with a smaller share are omitted from sentences.
  private static let smallestShare = 0.1

  private var shown: [Kind] {
    Kind.allCases.filter { self[$0] > 0 && self[$0] >= Self.smallestShare * total }
  }

  /// `the UI waits 50.1 ms for locks`, `245 ms of copying and 125 ms of handing work over`
  public var words: String {
    if shown.isEmpty { return "nothing" }
    if shown == [.lockWait] {
      return "the UI waits \(Figure.span(milliseconds: lockWait)) for \(waits.rawValue)"
    }
    return amounts
  }

  /// `245 ms of copying and 125 ms of handing work over`
  var amounts: String {
    English.list(shown.map { "\(Figure.span(milliseconds: self[$0])) of \(words(for: $0))" })
  }

  func words(for kind: Kind) -> String {
    switch kind {
    case .lockWait: waits.words
    case .copying: "copying"
    case .handOff: "handing work over"
    }
  }
}
