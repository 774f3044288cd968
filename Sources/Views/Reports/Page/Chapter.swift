internal import FrameBudget

/// The results of one scenario: the hang, strategies without it and their price, the reasons, and the largest loads.
struct Chapter {
  let scenario: String
  var rows: [PageRow]
  let workloads: [PageRow]
  /// The platforms whose numbers it shows.
  let sets: [MetricSet]
  let metrics: [String]
  let verdicts: [Verdict]
  /// Of two results.
  let comparison: ResultComparison?
  let limits: [LimitRecord]
  let proofs: [ProofRecord]
  let advice: [AdviceRecord]
  let explained: [ExplainedRecord]
  let tried: [TriedChange]
  let recording: PageRecordingWords?
  let files: [RunFile]
  /// The prefix of its anchors, which no other chapter has.
  let id: String

  /// One run of each strategy is one result, in sentences; a sweep or a comparison is several.
  private var isOne: Bool { verdicts.count == 1 }

  /// The verdict, or the result of the recording, with the recommended strategy if there are several; of advice, what changes.
  var headline: String {
    if isOne, let verdict = verdicts.first {
      let advised = verdict.isAdviceRun ? nil : advice.first?.first?.arrangement
      let pick = verdict.strategies.count > 1 ? verdict.recommended?.label : nil
      let result = recording.map { English.capitalized($0.dropped) + "." } ?? verdict.headline
      guard let name = advised ?? pick else { return result }
      let row = advice.first?.rows.first { $0.arrangement == name }
      return "\(result.dropLast()); recommended: \(row?.title ?? name)."
    }
    // If nothing else is known about an app, its only answer is the headline.
    guard rows.isEmpty else { return scenario }
    if !advice.isEmpty {
      return advice.count == 1 ? AdviceSection(advice: advice[0]).headline : scenario
    }
    if !proofs.isEmpty { return ProofSection(rows: proofs).headline }
    return LimitSection(rows: limits, pick: nil).headline ?? scenario
  }

  /// `level` is the level of its headline.
  func markup(level: Int) -> Markup {
    let parts = [
      head(level), answers, DeadlockSection(files: files).markup, warnings, sweeps(level),
      strips(level),
      why?.markup(heading("Why", level)) ?? "",
      PartsSection(rows)?.markup(heading("Parts of drawing", level)) ?? "",
      LimitSection(rows: limits, pick: verdicts.first?.recommended?.label)
        .markup(heading("Largest loads", level)),
      ProofSection(rows: proofs).markup(heading("For all arrival times", level)),
      explanations(level), changes(level),
      TriedSection(tried: tried).markup(heading("Changes that were tried", level)),
      ComparisonSection(rows)?.markup(heading("Side by side", level)) ?? "", platforms(level),
      more(level),
    ]
    return "<section class=\"chapter\" id=\"\(id)\">\(parts)</section>\n"
  }

  private var why: WhySection? { WhySection(rows, verdicts) }

  /// The traced runs that it draws, and the part of them.
  var traced: [(run: TracedRun, window: ThreadPicture.Window)] { why?.traced ?? [] }

  private func heading(_ text: String, _ level: Int) -> Markup {
    "<h\(level + 1)>\(text)</h\(level + 1)>\n"
  }

  // MARK: Introduction

  private func head(_ level: Int) -> Markup {
    "<p class=\"kicker\">\(facts)</p>\n<h\(level)>\(headline)</h\(level)>\n"
  }

  /// `camera-upload · 60 Hz, 10 s · virtual engine, 2 cores · seed 42`
  private var facts: String {
    let runs = rows.compactMap(\.run)
    if runs.isEmpty, let asked { return asked }
    func distinct(_ texts: [String]) -> String {
      texts.filter { !$0.isEmpty }.distinct().prefix(4).joined(separator: " and ")
    }
    let hertz = distinct(
      runs.map { $0.refreshHz.map { "\(Decimal.text($0, places: 3)) Hz" } ?? "" })
    let length = distinct(
      runs.map { $0.durationMilliseconds.map { Figure.span(milliseconds: $0) } ?? "" })
    let engine = runs.grouped(by: \.engine).map { engine, runs in
      let cores = runs.map(\.cores).filter { !$0.isEmpty }.distinct()
      let words =
        cores.isEmpty
        ? "" : ", \(English.list(cores, most: 4)) \(cores == ["1"] ? "core" : "cores")"
      return "\(engine) \(engine == ImportRow.engine ? "log" : "engine")\(words)"
    }.joined(separator: " and ")
    let seeds = Seeds(rows.flatMap { $0.repetitions?.all ?? [] }.map(\.seed))
    let changes = isOne ? verdicts.first?.changes ?? "" : ""
    let learned = distinct(
      runs.map { $0.learned.isEmpty ? "" : "learned from a recording, replay \($0.learned)" })
    return [
      scenario, [hertz, length].filter { !$0.isEmpty }.joined(separator: ", "), engine,
      seeds.isEmpty ? "" : "\(seeds)", changes, learned,
    ].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// The same of answers without runs: what they are about.
  private var asked: String? {
    let subjects =
      limits.map { ($0.subject, $0.engine) } + proofs.map { ($0.subject, "") }
      + advice.flatMap(\.rows).map { ($0.subject, "") } + explained.map { ($0.subject, "") }
    guard let first = subjects.first?.0, first.duration > 0 else { return nil }
    let engines = subjects.map(\.1).filter { !$0.isEmpty }.distinct().map { "\($0) engine" }
    let cores = subjects.map(\.0.cores).distinct().map { English.count($0, "core") }
    let extents = subjects.map { "\($0.0.refresh), \(Figure.span(milliseconds: $0.0.duration))" }
    let extent = extents.distinct().prefix(4).joined(separator: " and ")
    let machine = engines + (first.cores > 0 ? cores : [])
    let seeds = Seeds(subjects.map { "\($0.0.seed)" })
    return [scenario, extent, machine.prefix(4).joined(separator: ", "), "\(seeds)"]
      .filter { !$0.isEmpty }.joined(separator: " · ") + first.origin
  }

  private var answers: Markup {
    guard isOne, let verdict = verdicts.first else { return several }
    let omissions = recording?.omissions.map { "Not part of this: \($0)." } ?? []
    let caveats: [Markup] = (omissions + verdict.caveats).map {
      "<p class=\"note\">\($0)</p>\n"
    }
    let replayed: [Markup] = recording == nil ? [] : ["In the replay: \(verdict.headline)"]
    let answer: [Markup] = recording?.answer.map { ["\($0)"] } ?? []
    let ofRuns = verdict.answer.map { Self.emphasized($0, verdict.best?.label) }
    let sentences = answer + replayed + ofRuns
    let spaced: [Markup] = sentences.map { "\($0) " }
    return "<p class=\"verdict\">\(adviceNotRun(verdict))\(spaced)</p>\n\(caveats)"
  }

  /// Advice that was not run, before the strategies that were.
  private func adviceNotRun(_ verdict: Verdict) -> Markup {
    guard !verdict.isAdviceRun, let advice = advice.first, let label = advice.recommended.first
    else { return "" }
    return """
      <b class="pick">\(label)</b>, predicted: \(AdviceSection(advice: advice).gain). \
      It was not run here.\(" ")
      """
  }

  /// The sentence with its recommended strategy emphasized, if it begins with that.
  private static func emphasized(_ sentence: String, _ best: String?) -> Markup {
    guard let best, sentence.hasPrefix(best) else { return "\(sentence)" }
    let rest = sentence.dropFirst(best.count)
    // `schedulable` is not a prefix match for `schedulable-priorities`.
    guard rest.hasPrefix(": ") || rest.hasPrefix(" ") else { return "\(sentence)" }
    return "<b class=\"pick\">\(best)</b>\(rest)"
  }

  private static let maxSentences = 12
  private static let maxNotes = 3

  private var several: Markup {
    let compared: Markup =
      comparison.map { comparison in
        let notes: [Markup] = comparison.warnings.map { "<p class=\"note\">\($0).</p>\n" }
        let rest = Array(notes.dropFirst(Self.maxNotes))
        return """
          <p class="verdict">\(ComparisonSentence(comparison).text)</p>
          \(Array(notes.prefix(Self.maxNotes)))\
          \(Markup.folded(English.count(rest.count, "more note"), "\(rest)"))
          """
      } ?? ""
    return compared + answersOfEach
  }

  /// The answer of a sweep; otherwise a line for each verdict, with its distinguishing properties.
  private var answersOfEach: Markup {
    let (sweeps, others) = SweepAnswer.split(verdicts)
    let maps: [Markup] = sweeps.map { verdict, answer in
      let name = [verdict.origin, "\(verdict.engine) engine"].filter { !$0.isEmpty }
      let isAlone = sweeps.count == 1 && others.isEmpty
      return SweepMap(answer: answer).markup(isAlone ? "" : name.joined(separator: " · "))
    }
    return "\(maps)\(list(others))"
  }

  private func list(_ verdicts: [Verdict]) -> Markup {
    let areEngines = Set(verdicts.map(\.engine)).count > 1
    let items: [Markup] = verdicts.prefix(Self.maxSentences).map { verdict in
      let engine = areEngines ? "\(verdict.engine) engine" : ""
      let place = [verdict.origin, verdict.changes, engine].filter { !$0.isEmpty }
      let best = verdict.best.map { best in
        let kind =
          verdict.nearest == best
          ? "Nearest"
          : verdict.advised.contains(best.label)
            ? "Advised" : English.capitalized((verdict.merit ?? .lowestPrice).rawValue)
        return " \(kind): \(best.label)."
      }
      return
        "<li>\(verdict.headline)\(best ?? "") <small>\(place.joined(separator: " · "))</small></li>\n"
    }
    let rest = verdicts.count - items.count
    let more: Markup = rest > 0 ? "<li>and \(rest) more</li>\n" : ""
    return items.isEmpty ? "" : "<ul class=\"verdicts\">\(items)\(more)</ul>\n"
  }

  /// Warnings about the figures, before the figures.
  private var warnings: Markup {
    let omitted = rows.flatMap(\.omittedPictures).prefix(Self.maxSentences)
    let texts = files.flatMap(\.warnings) + omitted
    let items: [Markup] = texts.distinct().map { "<li>\($0)</li>" }
    return items.isEmpty ? "" : "<ul class=\"warnings\">\(items)</ul>\n"
  }

  // MARK: Sections

  /// Too many rows to read; with all metrics the page would have a hundred megabytes.
  private var isGrid: Bool { rows.count > Self.mostInDetail && VariationPictures(rows) != nil }

  static let mostInDetail = 300

  /// In a sweep, single runs do not show the influence of a number, so the curves come before the strips.
  private func strips(_ level: Int) -> Markup {
    if rows.isEmpty { return "" }
    if isGrid {
      return "<p class=\"note\">summary.csv has each of the \(rows.count) rows.</p>\n"
    }
    let table = StripTable(rows, verdicts).markup
    return VariationPictures(rows) == nil ? table : heading("Run by run", level) + table
  }

  private func explanations(_ level: Int) -> Markup {
    let sections: [Markup] = explained.map { explained in
      let section = ShareSection(explained: explained)
      return section.markup(heading(section.title, level))
    }
    return "\(sections)"
  }

  private func changes(_ level: Int) -> Markup {
    let sections: [Markup] = advice.map { advice in
      AdviceSection(advice: advice, verdicts: verdicts).markup(heading("What to change", level)) {
        heading($0, level + 1)
      }
    }
    return "\(sections)"
  }

  private func sweeps(_ level: Int) -> Markup {
    let variation = VariationPictures(rows)
    let wanted = [
      (Metric.droppedPercent, "Frames dropped"), (.response(.p99), "Slow answers"),
      (.itemLatency(.p99), "Slow items"),
    ]
    let pictures: [Markup] = wanted.compactMap { metric, title in
      variation?.picture(metric, title) { heading($0, level) }
    }
    return "\(pictures)"
  }

  /// Empty for a grid.
  private func metricList(_ rows: [PageRow], _ metrics: [String]) -> Markup {
    isGrid ? "" : MetricList(rows: rows, metrics: metrics).markup
  }

  private func platforms(_ level: Int) -> Markup {
    let tables: [Markup] = sets.map { set in
      let list = metricList(rows, set.metrics.map(\.metric.name))
      if list.isEmpty { return list }
      return """
        <section>\(heading("As \([set].owners ?? "") tools print it", level))\
        <p class="lead">See Documentation/Metrics.md for differences.</p>
        \(list)</section>

        """
    }
    return "\(tables)"
  }

  private func more(_ level: Int) -> Markup {
    let pictures: [Markup] = [FrameDistribution(rows)?.panels, WaitingWork(rows: rows).panels]
      .compactMap(\.self).map { Markup.folded($0.title, $0.markup("")) }
    // The value of a percentile shows whether it is a lower bound.
    let bounds = Set(metrics.map(Metric.bound))
    let shown = metrics.filter { !bounds.contains($0) }
    let parts: Markup = """
      \(pictures)\
      \(Markup.folded("All metrics, with their formulas", metricList(rows, shown)))\
      \(Markup.folded("Metrics of each workload", metricList(workloads, shown)))\
      \(Markup.folded("How the advice is found", verdicts.isEmpty ? "" : "<p>\(Verdict.rule)</p>\n"))\
      \(Markup.folded("How it was measured", CircumstanceSection(files: files).markup, id: "\(id)-measured"))
      """
    if parts.isEmpty { return parts }
    return "<section class=\"more\">\(heading("More", level))\(parts)</section>\n"
  }
}
