internal import FrameBudget
internal import Reports
internal import Terminal

/// The verdict on a run under way, in the words of all other verdicts.
enum LiveVerdict {
  static func words(_ standing: Standing) -> StandingWords {
    let outcome = StrategyOutcome(standing)
    let isHarm = outcome.ownDrops > 0 || outcome.lateResponses > 0
    var pieces = outcome.smoothness
    if let hang = standing.hang {
      let span = hang.span.inMilliseconds
      // Short, so that both fit beside one another.
      let frames = English.count(outcome.expectedFrames, "frame")
      pieces[0] = "\(outcome.ownDrops) of \(frames) dropped"
      pieces.insert("HANGS: \(StrategyOutcome.hang(of: span, by: hang.cause))", at: 0)
    } else {
      // What is wrong comes first.
      if isHarm && outcome.ownDrops == 0 { pieces.append(pieces.removeFirst()) }
      let state = isHarm ? "not smooth" : standing.isOver ? "smooth" : "smooth so far"
      pieces[0] = "\(state): \(pieces[0])"
    }
    if let waiting = standing.waiting, waiting > 0 {
      let items = English.count(waiting, "item")
      pieces.append(standing.isOver ? "\(items) left undone" : "\(items) waiting")
    }
    if standing.lockWait > .zero {
      let span = Figure.span(milliseconds: standing.lockWait.inMilliseconds)
      pieces.append("the UI waited \(span) for locks")
    }
    return StandingWords(pieces: pieces, isHarm: isHarm)
  }
}

extension StrategyOutcome {
  fileprivate init(_ standing: Standing) {
    self.init(
      watched: standing.label, engine: standing.engine, expectedFrames: standing.expected,
      drops: standing.drops, longestGap: standing.longestGap,
      longestGapMilliseconds: standing.longestGapMilliseconds, hangs: standing.hangs,
      work: standing.awaited.map {
        [
          WorkOutcome(
            name: $0, arrived: standing.responses, left: 0, late: standing.responsesLate,
            slowest: standing.slowest)
        ]
      } ?? [])
  }
}
