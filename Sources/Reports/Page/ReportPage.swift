internal import FrameBudget

/// One self-contained HTML page about one or more results: nothing is loaded, it opens from disk.
public struct ReportPage: Sendable {
  private let title: String
  private let results: ResultSet
  private let workloads: WorkloadSection
  private let deadlocks: DeadlockSection
  private let circumstances: CircumstanceSection
  private let frames: [FrameSeries]
  private let traces: [TracedRun]
  private let limits: LimitSection

  /// A page on the rows of summaries, and on what else is at hand: rows of workloads, `run.json`, frames, traces.
  public init(
    title: String, results: ResultSet, workloads: ResultSet = ResultSet(rows: [], metrics: []),
    runs: [RunFile] = [], frames: [FrameSeries] = [], traces: [TracedRun] = [],
    limits: [LimitResults] = []
  ) {
    self.title = title
    self.results = results
    self.workloads = WorkloadSection(workloads, of: results)
    deadlocks = DeadlockSection(files: runs)
    circumstances = CircumstanceSection(files: runs)
    self.frames = frames
    self.traces = traces
    self.limits = LimitSection(limits: limits)
  }

  /// More runs than this make pictures that nobody can read; the table holds them all.
  static let mostPictured = 12

  public func html() -> String {
    let rows = PageRow.rows(results.rows, among: results.rows)
    let plots = pictures(rows).map { $0.html() }.joined()
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
      <link rel="icon" href="data:,">
      <title>\(HTML.escaped(title))</title>
      <style>\(PageStyle.css)</style></head>
      <body><main><h1>\(HTML.escaped(title))</h1>
      \(lead(rows))
      \(deadlocks.html())\(circumstances.pointer())\(comparison(rows))\(limits.html())\(workloads.html())
      <div class="pictures">\(plots)</div>
      \(circumstances.html())
      <footer><p>\(HTML.escaped(Self.footer))</p></footer></main>
      <div id="tip" role="status" hidden></div>
      <script>\(PageStyle.script)</script>
      </body></html>

      """
  }

  private static let footer =
    "A dropped frame is a vsync at which no new frame was shown. Rows are medians over repetitions; "
    + "pictures of frames are of the first. "
    + "An empty cell means that the metric does not apply; > and a ring stand for at least so much: not "
    + "everybody who waited had an answer by the end."

  private func lead(_ rows: [PageRow]) -> String {
    if rows.isEmpty { return "" }
    let scenarios = Set(rows.map(\.scenario)).sorted().joined(separator: ", ")
    let count = rows.reduce(0) { $0 + $1.repetitions.count }
    let open = rows.filter { $0.value(Metric.itemsPending.name) ?? 0 > 0 }.map(\.name)
    let pending =
      open.isEmpty
      ? "" : " Not all work was done by: \(open.joined(separator: ", "))."
    let text = "\(count) \(count == 1 ? "run" : "runs") of \(scenarios).\(pending)"
    return "<p class=\"lead\">\(HTML.escaped(text))</p>"
  }

  private static let columns = [
    Metric.droppedFrames, .droppedPercent, .hitchRatio, .frameTime(.p50), .frameTime(.p99),
    .frameTime(.max), .itemsDone, .itemsPending, .throughput, .itemLatency(.p99), .response(.p99),
    .responsesLate, .stateAge(.p99),
  ].map(\.name)

  private func comparison(_ rows: [PageRow]) -> String {
    if rows.isEmpty { return "" }
    let shown = Self.columns.filter { name in rows.contains { $0.value(name) != nil } }
    let most = rows.compactMap { $0.value(Metric.droppedPercent.name) }.max() ?? 0
    let head = shown.map(HTML.heading).joined()
    let body = rows.map { row in
      let share = most > 0 ? (row.value(Metric.droppedPercent.name) ?? 0) / most : 0
      let cells = shown.map { "<td>\(HTML.escaped(row.text($0)))</td>" }.joined()
      return "<tr><th scope=\"row\" style=\"--share:\(Decimal.text(share * 100, places: 1))%\">"
        + "\(HTML.escaped(row.name))\(row.isDisturbed ? " !" : "")</th>\(cells)</tr>\n"
    }.joined()
    let note = rows.contains(where: \.isDisturbed) ? Self.disturbed : ""
    return """
      <section><h2>Comparison</h2><div class="scroll"><table class="comparison">
      <thead><tr><th scope="col">run</th>\(head)</tr></thead><tbody>\(body)</tbody></table></div>\(note)</section>

      """
  }

  private static let disturbed =
    "<p class=\"lead\">! disturbed: others used the processors meanwhile, or dropped frames.</p>"

  private func pictures(_ rows: [PageRow]) -> [Plot] {
    let variation = VariationPictures(rows)
    let curves = [Metric.droppedPercent, .response(.p99), .itemLatency(.p99)].compactMap {
      variation?.plot($0)
    }
    let few = ResultPictures(rows: Array(rows.prefix(Self.mostPictured)))
    var responses = workloads.pictures(most: Self.mostPictured)
    if responses.isEmpty { responses = [few.responses("Responses")].compactMap(\.self) }
    let whole = variation == nil ? [few.drops()].compactMap(\.self) + responses : []
    let predicted = ResultPictures.predicted(pairs(rows))
    let shown = frames.prefix(Self.mostPictured)
    let ofFrames = shown.flatMap { series in
      let pictures = FramePictures(series: series)
      return [pictures.timeline(), pictures.items()].compactMap(\.self)
    }
    return curves + whole + [predicted, FrameDistribution(frames)?.plot()].compactMap(\.self)
      + ofFrames + traces.prefix(Self.mostPictured).compactMap { LanePicture($0)?.plot() }
  }

  /// Runs that both engines did.
  private func pairs(_ rows: [PageRow]) -> [(name: String, virtual: Double, real: Double)] {
    func key(_ row: PageRow) -> [String] { [row.scenario, row.label, row.changes] }
    let real = rows.filter { $0.engine == EngineKind.real.rawValue }
    let measured = Dictionary(real.map { (key($0), $0) }) { first, _ in first }
    return rows.filter { $0.engine == EngineKind.virtual.rawValue }.compactMap { virtual in
      guard let predicted = virtual.value(Metric.droppedPercent.name),
        let real = measured[key(virtual)]?.value(Metric.droppedPercent.name)
      else { return nil }
      let name = [virtual.label, virtual.changes].filter { !$0.isEmpty }.joined(separator: " · ")
      return (name, predicted, real)
    }
  }
}
