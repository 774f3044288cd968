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
    if let price = price(standing) { pieces.append(price) }
    return StandingWords(pieces: pieces, isHarm: isHarm)
  }

  /// What it has paid so far, as `run` says it; of a recorded run, whose frames do not tell what copying took, only
  /// what they do tell.
  private static func price(_ standing: Standing) -> String? {
    let lockWait = standing.lockWait.inMilliseconds
    guard let copying = standing.copying else {
      return lockWait > 0 ? "the UI waited \(Figure.span(milliseconds: lockWait)) for locks" : nil
    }
    let price = StrategyPrice(
      lockWait: lockWait, copying: copying.inMilliseconds, handOff: standing.handOff.inMilliseconds)
    return price.total > 0 ? "price: \(price.words)" : nil
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
