public import FrameBudget

/// Describes a run in words, including the price.
struct Narrative {
  let run: RepeatedRun
  private var typical: RunRecord { run.typical }
  /// 0 if it is not known how many of them were dropped.
  private var expected: Int {
    typical[.droppedFrames] == nil ? 0 : typical.count(.expectedFrames)
  }
  private var dropped: Int { typical.count(.droppedFrames) }

  var text: String {
    guard expected > 0 else { return "\(subject) \(nothing)." }
    let drawback = drawbacks.joined(separator: ", and ")
    let link = drawback.isEmpty ? "" : dropped == 0 ? ", but " : ", and "
    var sentences = ["\(subject) \(drops)\(link)\(drawback)."]
    if let deadlock { sentences.append(deadlock) }
    let good = English.list(achievements)
    if !good.isEmpty { sentences.append(English.capitalized(good) + ".") }
    if !prices.isEmpty { sentences.append("The price: \(prices.joined(separator: "; ")).") }
    return sentences.joined(separator: " ")
  }

  /// The reason why no vsync wanted a frame.
  private var nothing: String {
    if typical[.expectedFrames] != nil, typical[.droppedFrames] == nil {
      return "does not say which frames it dropped"
    }
    let vsyncs = (typical.refreshHz ?? 0) * (typical.durationMilliseconds ?? 0) / 1000
    if vsyncs < 1 { return "ended before the first vsync" }
    // Only on demand can that many vsyncs want no frame.
    return vsyncs > Double(Pipeline.deadlines.upperBound)
      ? "wanted no frame" : "ended before a frame could be shown"
  }

  private var subject: String {
    var notes: [String] = []
    let count = run.repetitions.count
    if count > 1, let range = run.repetitions.range(of: { $0.count(.droppedFrames) }) {
      let spread =
        range.lowerBound == range.upperBound
        ? "all of which dropped \(range.lowerBound)"
        : "which dropped \(range.lowerBound) to \(range.upperBound)"
      notes.append("the median of \(count) runs, \(spread)")
    }
    notes += [run.repetitions.omission].compactMap(\.self)
    switch typical.ending {
    case .complete: break
    case .interrupted:
      let end = Figure.span(milliseconds: typical.durationMilliseconds ?? 0)
      notes.append("interrupted after \(end)")
    case .invalid: notes.append("invalid")
    }
    return run.label + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  private var drops: String {
    let total = English.count(expected, "frame")
    guard dropped > 0 else { return "dropped none of \(total)" }
    return "dropped \(dropped) of \(total) \(hitches), \(causes)"
  }

  private var hitches: String {
    let (count, hangs) = (typical.count(.hitches), typical.count(.hangs))
    let hangTime = Figure.span(milliseconds: typical[.hangTotal] ?? 0)
    let longest = Figure.span(milliseconds: typical[.hitchMax] ?? 0)
    if count == 1 { return "in one \(hangs == 1 ? "hang" : "hitch") of \(longest)" }
    if hangs == count { return "in \(hangs) hangs, \(hangTime) in all" }
    let hitches = "in \(count) hitches"
    if typical.count(.longestGap) == 1 { return "\(hitches) of one frame each" }
    guard hangs > 0 else { return "\(hitches), the longest of \(longest)" }
    return
      "\(hitches), \(hangs == 1 ? "one of them a hang" : "\(hangs) of them hangs") (\(hangTime))"
  }

  private var causes: String {
    let found = Cause.attributionOrder.map { (cause: $0, drops: typical.count(.drops(by: $0))) }
      .filter { $0.drops > 0 }
    // Stable: causes with equal drops stay in their order.
    let most = found.map(\.drops).max() ?? 0
    guard let first = found.first(where: { $0.drops == most }) else { return "without a cause" }
    let others = found.filter { $0.cause != first.cause }
    if others.isEmpty { return "caused by \(words(first.cause))" }
    let rest = others.map { "\(words($0.cause)) (\($0.drops))" }
    return "mostly caused by \(words(first.cause)) (\(first.drops)), also by \(English.list(rest))"
  }

  private func words(_ cause: Cause) -> String {
    cause == .lock ? typical.waits.words : cause.traits.words
  }

  /// From the typical run; from another one if that had no deadlock.
  private var deadlock: String? {
    let runs = run.repetitions.all
    let stuck = runs.filter { !$0.deadlocks.isEmpty }
    guard let shown = typical.deadlocks.isEmpty ? stuck.first : typical else { return nil }
    let words = shown.deadlocks.joined(separator: "; ") + "."
    if runs.count > 1 { return "In \(stuck.count) of \(runs.count) runs \(words)" }
    return English.capitalized(words)
  }

  private var drawbacks: [String] {
    let (undone, cancelled) = (typical.undone, typical.count(.itemsCancelled))
    var parts: [String] = []
    if undone > 0 {
      parts.append("left \(undone) of \(English.count(typical.itemsArrived, "item")) undone")
    }
    if cancelled > 0 { parts.append("cancelled \(English.count(cancelled, "item"))") }
    return parts
      + awaited.filter { $0.late > 0 }.map { awaited in
        let names = English.plural(awaited.name)
        let some = awaited.late == awaited.arrived ? "all" : "\(awaited.late) of"
        let who =
          awaited.arrived == 1 ? "its one \(awaited.name)" : "\(some) \(awaited.arrived) \(names)"
        return "\(who) waited longer than \(awaited.allowed)\(awaited.inVain)"
      }
  }

  private var achievements: [String] {
    let arrived = typical.itemsArrived
    var parts: [String] = []
    let replaced = typical.count(.itemsReplaced)
    if arrived > 0, typical.itemsShown + replaced == arrived, typical.count(.itemsPending) == 0 {
      let what = arrived == 1 ? "its one item was" : "all \(arrived) items were"
      parts.append("\(what) done" + (replaced > 0 ? " or replaced by newer ones" : ""))
    }
    return parts
      + awaited.filter { $0.late + $0.open == 0 && $0.answered > 0 }.map { awaited in
        let isOne = awaited.answered == 1
        let due = awaited.answered < awaited.arrived ? " that \(isOne ? "was" : "were") due" : ""
        let who =
          isOne
          ? "the one \(awaited.name)\(due) was"
          : "all \(awaited.answered) \(English.plural(awaited.name))\(due) were"
        return "\(who) answered within \(awaited.allowed)"
      }
  }

  private var prices: [String] {
    var parts: [String] = []
    if let wait = typical[.lockWait], wait > 0 {
      let longest = Figure.span(milliseconds: typical[.longestLockWait] ?? 0)
      parts.append(
        "the UI waited \(Figure.span(milliseconds: wait)) for \(typical.waits.rawValue), up to \(longest) at once"
      )
    }
    if let publishing = typical[.publishing], publishing > 0 {
      parts.append("copying state for the UI took \(Figure.span(milliseconds: publishing))")
    }
    if let hops = typical[.hops], hops > 0, let cost = typical[.handOff], cost > 0 {
      let each = Figure.span(milliseconds: cost / 1000)
      parts.append("handing over cost the main thread \(each) per item")
    }
    let losses = [IncompleteFrames(typical)?.words, StrategyOutcome.Later(typical).words]
    return parts + losses.compactMap(\.self)
  }

  /// The workloads with responses.
  private var awaited: [Awaited] {
    let workloads = typical.workloads.filter { $0[.responsesLate] != nil }
    return zip(typical.answers, workloads).map { log, workload in
      Awaited(
        name: workload.item.isEmpty ? workload.workload : workload.item,
        arrived: workload.itemsArrived, answered: log.answers.count { $0.shown != nil },
        open: workload.count(.responsesOpen), late: workload.count(.responsesLate),
        allowed: Figure.span(milliseconds: log.allowed.inMilliseconds))
    }
  }

  private struct Awaited {
    let name: String
    let arrived: Int
    let answered: Int
    /// Responses that have been open for at least the allowed time.
    let open: Int
    let late: Int
    let allowed: String

    /// The number of late responses that were never given.
    var inVain: String {
      if open == 0 { return "" }
      if late == 1 { return ", without an answer" }
      return ", \(open >= late ? "all" : "\(open)") of them without an answer"
    }
  }
}

extension Deadlock {
  /// `threads import and share waited for each other's locks (catalogue, gallery) from 1.2 s on`
  var words: String {
    let names = threads.map { "'\($0)'" }
    let each = threads.count == 2 ? "each other's" : "one another's"
    return "threads \(English.list(names)) waited for \(each) locks "
      + "(\(locks.joined(separator: ", "))) from "
      + "\(Figure.span(milliseconds: since.sinceZero.inMilliseconds)) on, without end"
  }
}

extension LockOrderConflict {
  /// `import takes catalogue, then gallery; clean-up takes gallery, then catalogue`
  public func words(in scenario: Scenario, under arrangement: Arrangement) -> String {
    let orders = [locks, locks.reversed()].map { locks in
      locks.map { arrangement.locks[$0].name }.joined(separator: ", then ")
    }
    return zip(workloads, orders).map { "\(scenario.workloads[$0].name) takes \($1)" }
      .joined(separator: "; ")
  }
}
