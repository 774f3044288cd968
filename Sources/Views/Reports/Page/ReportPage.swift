package import FrameBudget
public import FrameBudgetParsing

/// One self-contained HTML page about one or more results: it loads nothing and opens from disk.
///
/// It answers questions in the order in which people ask them: which strategies hang, which do not, and at what price; when
/// they hang, on one axis for all; why; how they compare. Everything else is collapsed. The page works without a script. With
/// its script, the pointer shows the phases of frames, and dragging over a span zooms into all strips.
public struct ReportPage: Sendable {
  private let title: String
  private let results: ResultSet
  private let workloads: ResultSet
  private let runs: [RunFile]
  private let frames: [RecordedRun]
  private let traces: [TracedRuns]
  private let origins: Set<String>
  private let metrics: [MetricSet]
  private let limits: [LimitRecord]
  private let proofs: [ProofRecord]
  private let advice: [AdviceRecord]
  private let explained: [ExplainedRecord]
  private let tried: [TriedChange]
  private let recording: PageRecordingWords?

  /// A page on the rows of summaries and on other available data: rows of workloads, `run.json`, frames, traces, and results of
  /// `limit`, `prove`, `advise` and `explain`; of the only scenario, changes that were tried in the app, and the recording of which
  /// it was learned. `metrics` are the platforms whose numbers it shows, by default those of the scenarios' screens.
  package init(
    title: String, results: ResultSet, workloads: ResultSet = ResultSet(rows: [], metrics: []),
    runs: [RunFile] = [], frames: [RecordedRun] = [], traces: [TracedRuns] = [],
    limits: [LimitRecord] = [], proofs: [ProofRecord] = [], advice: [AdviceRecord] = [],
    explained: [ExplainedRecord] = [], tried: [TriedChange] = [],
    recording: PageRecordingWords? = nil, metrics: [MetricSet]? = nil
  ) {
    self.metrics = metrics ?? results.suggestedMetrics
    self.title = title
    self.results = results
    self.workloads = workloads
    self.runs = runs
    self.frames = frames
    self.traces = traces.enumerated().map { $1.numbered($0) }
    (self.limits, self.proofs) = (limits, proofs)
    (self.advice, self.explained, self.tried) = (advice, explained, tried)
    self.recording = recording
    origins = Set(results.rows.map(\.origin))
  }

  /// The limits for the rows of a page, which repetitions share, for those of workloads, and for scenarios, of which each is a
  /// chapter. A page of more rows takes a gigabyte, and no browser shows it.
  static let (maxRows, maxWorkloads, maxScenarios) = (10_000, 50_000, 1000)

  func requireRoom() throws(InputError) {
    let subjects = Set(results.rows.lazy.map(\.subject)).union(frames.lazy.map(\.subject))
    let parts = Set(workloads.rows.lazy.map { [$0.subject.name, $0.workload] })
    for (count, most, what) in [
      (subjects.count + traces.reduce(0) { $0 + $1.runs.count }, Self.maxRows, "different runs"),
      (parts.count, Self.maxWorkloads, "different workloads of runs"),
      (
        max(
          scenarios(ofRuns: subjects.map(\.scenario)).count, advice.count + explained.count),
        Self.maxScenarios, "scenarios"
      ),
    ] where count > most {
      throw InputError("the results have \(count) \(what); a page shows at most \(most)")
    }
  }

  /// Reads the traces again for the work of threads in the parts that it draws. Throws if a page cannot show all that it has.
  public func html() throws(InputError) -> String {
    try requireRoom()
    let chapters = try withTracedWork(chapters())
    let isOne = chapters.count == 1
    let head: Markup = isOne ? "" : "<h1>\(title)</h1>\n\(contents(chapters))"
    let name = isOne ? "\(chapters[0].scenario): \(chapters[0].headline)" : title
    let page: Markup = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
      <link rel="icon" href="data:,">
      <title>\(name)</title>
      <style>\(Markup(trusted: Palette.css + PageStyle.css))</style></head>
      <body><main>\(head)\(chapters.map { $0.markup(level: isOne ? 1 : 2) })
      <footer><p>\(isOne ? "\(title). " : "")\(Self.footer)</p></footer></main>
      <div id="tip" hidden></div>
      <script>\(Markup(trusted: PageStyle.script))</script>
      </body></html>

      """
    return page.html
  }

  private static let footer =
    "A dropped frame is a vsync at which no new frame was shown. Of repetitions, figures and strips are those of "
    + "the run with the median of the frames that the app dropped. "
    + "> and a ring mark lower bounds: some responses were still open at the end."

  private func contents(_ chapters: [Chapter]) -> Markup {
    let items: [Markup] = chapters.map {
      "<li><a href=\"#\($0.id)\">\($0.scenario)</a> \($0.headline == $0.scenario ? "" : $0.headline)</li>\n"
    }
    return "<nav aria-label=\"Scenarios\"><ol class=\"contents\">\(items)</ol></nav>\n"
  }

  // MARK: Chapters

  private func chapters() -> [Chapter] {
    let rows = rowsWithPictures()
    let parts = workloads.rows.isEmpty ? results.rows.flatMap(\.workloads) : workloads.rows
    let work = PageRow.workloads(parts, of: rows, among: results.rows)
    let advised = Dictionary(advice.map { ($0.scenario, $0.recommended) }) { first, _ in first }
    let allowed = Dictionary(advice.map { ($0.scenario, $0.allowedDrops) }) { first, _ in first }
    let verdicts = Dictionary(
      grouping: Verdict.all(
        results.rows, workloads: workloads.rows, advised: advised, allowedDrops: allowed),
      by: \.scenario)
    let byScenario = Dictionary(grouping: rows, by: \.subject.scenario)
    let limitsOf = Dictionary(grouping: limits, by: \.subject.scenario)
    let proofsOf = Dictionary(grouping: proofs, by: \.subject.scenario)
    let names = scenarios(ofRuns: rows.map(\.subject.scenario))
    return names.enumerated().map { place, name in
      Chapter(
        scenario: name, rows: byScenario[name] ?? [],
        workloads: work.filter { $0.subject.scenario == name },
        sets: metrics,
        metrics: results.metrics + workloads.metrics.filter { !results.metrics.contains($0) },
        verdicts: verdicts[name] ?? [], comparison: comparison(of: name),
        limits: limitsOf[name] ?? [], proofs: proofsOf[name] ?? [],
        advice: advice.filter { $0.scenario == name },
        explained: explained.filter { $0.scenario == name }, tried: tried,
        recording: recording,
        files: runs.filter { file in
          file.runs.contains { $0.scenario == name } || names.count == 1
            || file.runs.isEmpty && limitsOf[name] != nil
        },
        id: "s\(place + 1)")
    }
  }

  /// Those of runs, then those of which only answers are known: each is a chapter.
  private func scenarios(ofRuns runs: [String]) -> [String] {
    [
      runs, limits.map(\.subject.scenario), proofs.map(\.subject.scenario),
      advice.map(\.scenario), explained.map(\.scenario),
    ].flatMap(\.self).distinct()
  }

  private func withTracedWork(_ chapters: [Chapter]) throws(InputError) -> [Chapter] {
    let drawn = chapters.flatMap(\.traced).map { ($0.run.place, $0.window) }
    let windows = Dictionary(drawn) { $1 }
    var runs: [TracedRun.Place: TracedRun] = [:]
    for file in traces {
      for run in try file.drawn(in: windows) { runs[run.place] = run }
    }
    return chapters.map { chapter in
      var chapter = chapter
      for row in chapter.rows.indices {
        guard let trace = chapter.rows[row].trace else { continue }
        chapter.rows[row].trace = runs[trace.place] ?? trace
      }
      return chapter
    }
  }

  /// The second of two results with the first, as `compare` does it; nil if they have nothing in common, or too much for a page.
  private func comparison(of scenario: String) -> ResultComparison? {
    let sides = results.rows.filter { $0.scenario == scenario }.grouped(by: \.origin).map {
      origin, rows in
      var side = ComparedRows(
        ResultSet(rows: rows, metrics: results.metrics), Gate.standard.map(\.metric))
      if let machine = runs.first(where: { $0.origin == origin })?.machine {
        side.note(machine: machine)
      }
      return side
    }
    guard sides.count == 2, sides.allSatisfy({ $0.groups.count <= Chapter.mostInDetail })
    else { return nil }
    let comparison = ResultComparison(
      base: sides[0], new: sides[1], gates: Gate.standard, shown: [])
    return comparison.groups.isEmpty ? nil : comparison
  }

  /// The rows with frames, answers and traces of the same runs, and rows for runs that only these have.
  private func rowsWithPictures() -> [PageRow] {
    var rows = PageRow.rows(results.rows, among: results.rows)
    let recorded = Dictionary(grouping: frames, by: \.subject)
    let traces = traces.flatMap(\.runs)
    let traced = Dictionary(grouping: traces, by: \.name)
    let answered = answers()
    for place in rows.indices {
      let row = rows[place]
      let runs = (recorded[row.subject] ?? []).filter { run in
        (run.text(.repetition), run.text(.seed)) == (row.run?.repetition, row.run?.seed)
      }
      rows[place].frames = picture(runs, of: row, \.origin)
      rows[place].trace = picture(traced[row.subject.name] ?? [], of: row, \.origin)
      rows[place].omitPicturesOfOthers()
      rows[place].answers = row.run.flatMap { answered[Self.key($0, from: row.origin)] } ?? []
    }
    let known = Set(rows.map(\.subject))
    let others = frames.filter { $0.isFirst && !known.contains($0.subject) }.map { run in
      var row = PageRow(origin: run.origin, subject: run.subject)
      row.name = run.subject.name
      row.frames = run
      return row
    }
    let drawn = Set(rows.map(\.subject.name) + others.map(\.subject.name))
    let unknown = traces.filter { !drawn.contains($0.name) }.map { run in
      let subject = RunSubject(scenario: "", label: run.name, changes: "", engine: "")
      var row = PageRow(origin: run.origin, subject: subject)
      (row.name, row.trace) = (run.name, run)
      return row
    }
    return rows + others + unknown
  }

  /// The picture from the same folder as the row's summary; otherwise one from a folder without a summary.
  private func picture<Picture>(
    _ pictures: [Picture], of row: PageRow, _ origin: (Picture) -> String
  ) -> Picture? {
    pictures.first { origin($0) == row.origin }
      ?? pictures.first { !origins.contains(origin($0)) }
  }

  /// By the run that they are of.
  private func answers() -> [[String]: [AnswerLog]] {
    var answers: [[String]: [AnswerLog]] = [:]
    for file in runs {
      for run in file.runs {
        answers[Self.key(run, from: file.origin)] = run.answers
      }
    }
    return answers
  }

  private static func key(_ run: RunRecord, from origin: String) -> [String] {
    [origin, run.subject.name, run.repetition, run.seed]
  }
}

/// What a page says of the recording from which its scenario was learned, before all figures of the replay.
package struct PageRecordingWords: Hashable, Sendable {
  /// The recorded dropped frames, and those of the replay beside them.
  let dropped: String
  /// What of the app is not part of them.
  let omissions: [String]
  /// The answer that needed no search, in sentences; nil if there is advice.
  let answer: String?

  package init(dropped: String, omissions: [String], answer: String? = nil) {
    (self.dropped, self.omissions, self.answer) = (dropped, omissions, answer)
  }
}
