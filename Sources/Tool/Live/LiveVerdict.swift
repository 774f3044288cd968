internal import FrameBudget
internal import Reports
internal import Terminal

/// The verdict on a run under way, in the words of all other verdicts.
enum LiveVerdict {
  static func words(_ status: RunStatus) -> StatusWords {
    let outcome = StrategyOutcome(status)
    let isHarm = outcome.ownDrops > 0 || outcome.lateResponses > 0
    var pieces = outcome.smoothness
    if let hang = status.hang {
      let span = hang.span.inMilliseconds
      // Short, so that both fit beside one another.
      let frames = English.count(outcome.expectedFrames, "frame")
      pieces[0] = "\(outcome.ownDrops) of \(frames) dropped"
      pieces.insert("HANGS: \(StrategyOutcome.hang(of: span, by: hang.cause))", at: 0)
    } else {
      // What is wrong comes first.
      if isHarm && outcome.ownDrops == 0 { pieces.append(pieces.removeFirst()) }
      let state = isHarm ? "not smooth" : status.isOver ? "smooth" : "smooth so far"
      pieces[0] = "\(state): \(pieces[0])"
    }
    if let waiting = status.waiting, waiting > 0 {
      let items = English.count(waiting, "item")
      pieces.append(status.isOver ? "\(items) left undone" : "\(items) waiting")
    }
    if let price = price(status) { pieces.append(price) }
    return StatusWords(pieces: pieces, isHarm: isHarm)
  }

  /// What it has paid so far, as `run` says it; of a recorded run, whose frames do not tell what copying took, only
  /// what they do tell.
  private static func price(_ status: RunStatus) -> String? {
    let lockWait = status.lockWait.inMilliseconds
    guard let copying = status.copying else {
      return lockWait > 0 ? "the UI waited \(Figure.span(milliseconds: lockWait)) for locks" : nil
    }
    let price = StrategyPrice(
      lockWait: lockWait, copying: copying.inMilliseconds, handOff: status.handOff.inMilliseconds)
    return price.total > 0 ? "price: \(price.words)" : nil
  }
}

extension StrategyOutcome {
  fileprivate init(_ status: RunStatus) {
    self.init(
      watched: status.label, engine: status.engine, expectedFrames: status.expected,
      drops: status.drops, longestGap: status.longestGap,
      longestGapMilliseconds: status.longestGapMilliseconds, hangs: status.hangs,
      work: status.awaited.map {
        [
          WorkOutcome(
            name: $0, arrived: status.responses, left: 0, late: status.responsesLate,
            slowest: status.slowest)
        ]
      } ?? [])
  }
}
