public import FrameBudget

/// The comparison for people: the verdict, what ran, a table, by how much the engines differ, and in words what
/// happened.
public enum ComparisonReport {
  /// The report in lines of at most `width` characters, as far as names allow; with `details` a paragraph for each
  /// strategy, else only for where the app is, the best and the worst. With `sets` the numbers of frames are those of
  /// these platforms' tools.
  public static func text(
    _ rows: [ReportRow], sets: [MetricSet] = [], width: Int, isColored: Bool, details: Bool = false
  ) -> String {
    let runs = RepeatedRun.grouped(rows)
    let summary = VerdictSummary(verdicts: Verdict.all(rows))
    var parts = [summary.paragraphs.flatMap { Paragraph.wrapped($0, width: width) }]
    parts.append(Paragraph.wrapped(heading(rows), width: width, indent: "  "))
    parts.append(ComparisonTable(runs, sets: sets, width: width).text(isColored: isColored))
    parts.append(EngineDifference(runs).text(width: width, isColored: isColored))
    let told =
      details ? runs.map { (title: "", run: $0) } : FeaturedStrategies(summary, runs).all
    parts.append(words(told, width: width))
    if told.count < runs.count {
      let note = "(--details has a paragraph for each of \(runs.count) rows)"
      parts.append(Paragraph.wrapped(note, width: width).map { TextStyle.dim.paint($0, isColored) })
    }
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  /// `camera-upload: 60 Hz, 10 s, seed 42; real engine, 2 cores`
  private static func heading(_ rows: [ReportRow]) -> String {
    guard let first = rows.first else { return "nothing was measured" }
    let complete = rows.first { $0.log.status != .interrupted } ?? first
    let scenes = distinct(rows.map { "\($0.log.frames.refresh)" })
    let engines = distinct(
      rows.map { "\($0.log.engine.rawValue) engine, \(English.count($0.cores, "core"))" })
    let duration = Figure.span(milliseconds: complete.log.duration.inMilliseconds)
    return "\(first.log.scenario): \(scenes.joined(separator: ", ")), \(duration), "
      + "seed \(first.log.seed); \(engines.joined(separator: "; "))\(Learned.origin(first.log.learned))"
  }

  /// A paragraph for each of them, behind what it is.
  private static func words(_ told: [(title: String, run: RepeatedRun)], width: Int) -> [String] {
    told.flatMap { title, run in
      let change = run.changes.isEmpty ? "" : "[\(run.changes)] "
      let text = "- \(title)\(change)\(Narrative(run: run).text)"
      return Paragraph.wrapped(text, width: width, indent: "  ")
    }
  }

  private static func distinct(_ texts: [String]) -> [String] {
    var seen: [String] = []
    for text in texts where !seen.contains(text) { seen.append(text) }
    return seen
  }
}
