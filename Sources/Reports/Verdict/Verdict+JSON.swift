internal import FrameBudget

// The verdict for programs: the sentences that people read, and by name what they are about.

extension VerdictSummary {
  /// The sentences that stand first in the table, and a subject for each scenario, engine and value varied.
  var json: JSON {
    .object([
      ("sentences", .array(sentences.map(JSON.text))),
      ("subjects", .array(verdicts.map(\.json))),
    ])
  }

  private var sentences: [String] {
    guard !isVaried, let first = verdicts.first else { return paragraphs }
    return first.sentences + paragraphs.dropFirst()
  }
}

extension Verdict {
  fileprivate var json: JSON {
    .object([
      (RunKey.scenario.name, .text(scenario)), (RunKey.changes.name, .text(changes)),
      (RunKey.engine.name, .text(engine)),
      (RunKey.cores.name, Int(cores).map { .number(String($0)) } ?? .null),
      ("today", today.json), ("best", json(best)), ("runner_up", json(runnerUp)),
      ("worst", json(worst)),
    ])
  }

  private func json(_ outcome: StrategyOutcome?) -> JSON { outcome?.json ?? .null }
}

extension StrategyOutcome {
  fileprivate var json: JSON {
    .object([
      (RunKey.strategy.name, .text(label)), ("is_smooth", .flag(isSmooth)),
      ("dropped_by_app", .number(String(ownDrops))),
      ("dropped_by_machine", .number(String(machineFrames))),
      ("longest_hang_ms", JSON(longestGapMilliseconds)),
      (Metric.responsesLate.name, .number(String(lateResponses))),
      ("items_left", .number(String(itemsLeft))), ("price_ms", price.json),
    ])
  }
}

extension StrategyPrice {
  fileprivate var json: JSON {
    .object([
      ("lock_wait", JSON(lockWait)), ("copying", JSON(copying)), ("hand_off", JSON(handOff)),
      ("total", JSON(total)),
    ])
  }
}
