public import FrameBudget

/// Describes a run in words, including the price.
struct Narrative {
  let run: RepeatedRun
  private var metrics: RunMetrics { run.typical.metrics }
  private var frames: FrameMetrics { metrics.frames }

  var text: String {
    guard frames.expected > 0 else { return "\(subject) \(nothing)." }
    let drawback = drawbacks.joined(separator: ", and ")
    let link = drawback.isEmpty ? "" : frames.dropped == 0 ? ", but " : ", and "
    var sentences = ["\(subject) \(drops)\(link)\(drawback)."]
    if let deadlock { sentences.append(deadlock) }
    let good = English.list(achievements)
    if !good.isEmpty { sentences.append("\(good.prefix(1).uppercased())\(good.dropFirst()).") }
    if !prices.isEmpty { sentences.append("The price: \(prices.joined(separator: "; ")).") }
    return sentences.joined(separator: " ")
  }

  /// The reason why no vsync wanted a frame.
  private var nothing: String {
    let frames = metrics.log.frames
    if frames.vsyncs == 0 { return "ended before the first vsync" }
    return frames.isOnDemand ? "wanted no frame" : "ended before a frame could be shown"
  }

  private var subject: String {
    var notes: [String] = []
    let count = run.repetitions.count
    if count > 1, let range = run.repetitions.range(of: { $0.metrics.frames.dropped }) {
      let spread =
        range.lowerBound == range.upperBound
        ? "all of which dropped \(range.lowerBound)"
        : "which dropped \(range.lowerBound) to \(range.upperBound)"
      notes.append("the median of \(count) runs, \(spread)")
    }
    notes += [run.repetitions.omission].compactMap(\.self)
    switch metrics.log.status {
    case .complete: break
    case .interrupted:
      let end = Figure.span(milliseconds: metrics.log.duration.inMilliseconds)
      notes.append("interrupted after \(end)")
    case .invalid: notes.append("invalid")
    }
    return run.label + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  private var drops: String {
    let total = English.count(frames.expected, "frame")
    guard frames.dropped > 0 else { return "dropped none of \(total)" }
    return "dropped \(frames.dropped) of \(total) \(hitches), \(causes)"
  }

  private var hitches: String {
    let hangs = frames.hangTotal.inMilliseconds
    let longest = Figure.span(milliseconds: frames.hitchMax)
    if frames.hitches == 1 {
      return "in one \(frames.hangs == 1 ? "hang" : "hitch") of \(longest)"
    }
    if frames.hangs == frames.hitches {
      return "in \(frames.hangs) hangs, \(Figure.span(milliseconds: hangs)) in all"
    }
    let hitches = "in \(frames.hitches) hitches"
    if frames.longestGap == 1 { return "\(hitches) of one frame each" }
    guard frames.hangs > 0 else { return "\(hitches), the longest of \(longest)" }
    let some = frames.hangs == 1 ? "one of them a hang" : "\(frames.hangs) of them hangs"
    return "\(hitches), \(some) (\(Figure.span(milliseconds: hangs)))"
  }

  private var causes: String {
    let found = Cause.attributionOrder.map { (cause: $0, drops: frames.drops(by: $0)) }
      .filter { $0.drops > 0 }
    // Stable: causes with equal drops stay in their order.
    let most = found.map(\.drops).max() ?? 0
    guard let first = found.first(where: { $0.drops == most }) else { return "without a cause" }
    let others = found.filter { $0.cause != first.cause }
    if others.isEmpty { return "caused by \(first.cause.traits.words)" }
    let rest = others.map { "\($0.cause.traits.words) (\($0.drops))" }
    return
      "mostly caused by \(first.cause.traits.words) (\(first.drops)), also by \(English.list(rest))"
  }

  /// From the typical run; from another one if that had no deadlock.
  private var deadlock: String? {
    let runs = run.repetitions.all
    let stuck = runs.filter { !$0.log.totals.deadlocks.isEmpty }
    let typical = metrics.log.totals.deadlocks
    guard let deadlocks = typical.isEmpty ? stuck.first?.log.totals.deadlocks : typical else {
      return nil
    }
    let words = deadlocks.map(\.words).joined(separator: "; ") + "."
    if runs.count > 1 { return "In \(stuck.count) of \(runs.count) runs \(words)" }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private var drawbacks: [String] {
    let items = metrics.items
    var parts: [String] = []
    if items.pending > 0 {
      parts.append("left \(items.pending) of \(English.count(items.arrived, "item")) undone")
    }
    if items.cancelled > 0 { parts.append("cancelled \(English.count(items.cancelled, "item"))") }
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
    let items = metrics.items
    var parts: [String] = []
    if items.arrived > 0 && items.done == items.arrived {
      let what = items.arrived == 1 ? "its one item was" : "all \(items.arrived) items were"
      parts.append("\(what) done")
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
    if let wait = metrics[.lockWait], wait > 0 {
      let longest = Figure.span(milliseconds: metrics[.longestLockWait] ?? 0)
      parts.append(
        "the UI waited \(Figure.span(milliseconds: wait)) for locks, up to \(longest) at once")
    }
    if let publishing = metrics[.publishing], publishing > 0 {
      parts.append("copying state for the UI took \(Figure.span(milliseconds: publishing))")
    }
    if let hops = metrics[.hops], hops > 0, let cost = metrics[.handOff] {
      let each = Figure.span(milliseconds: cost / 1000)
      parts.append("handing over cost the main thread \(each) per item")
    }
    return parts
  }

  /// The workloads with responses.
  private var awaited: [Awaited] {
    zip(metrics.log.items, metrics.workloads).compactMap { log, workload in
      guard let allowed = log.respondWithin, let responses = workload.items.responses,
        let late = workload.items.responsesLate
      else { return nil }
      return Awaited(
        name: log.item ?? log.workload, arrived: workload.items.arrived,
        answered: responses.endedCount,
        open: responses.openCount, late: late,
        allowed: Figure.span(milliseconds: allowed.inMilliseconds))
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
