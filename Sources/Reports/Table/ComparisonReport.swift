internal import FrameBudget

/// The comparison for people: what ran, a table, by how much the engines differ, and in words what happened.
public enum ComparisonReport {
  /// The report in lines of at most `width` characters, as far as names allow.
  public static func text(_ rows: [ReportRow], width: Int, isColored: Bool) -> String {
    let runs = RepeatedRun.grouped(rows)
    var parts = [Paragraph.wrapped(heading(rows), width: width, indent: "  ")]
    parts.append(ComparisonTable(runs, width: width).text(isColored: isColored))
    parts.append(EngineDifference(runs).text(width: width, isColored: isColored))
    parts.append(words(runs, width: width))
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
      + "seed \(first.log.seed); \(engines.joined(separator: "; "))"
  }

  /// One paragraph for each strategy.
  private static func words(_ runs: [RepeatedRun], width: Int) -> [String] {
    runs.flatMap { run in
      let change = run.changes.isEmpty ? "" : "[\(run.changes)] "
      return Paragraph.wrapped("- " + change + Narrative(run: run).text, width: width, indent: "  ")
    }
  }

  private static func distinct(_ texts: [String]) -> [String] {
    var seen: [String] = []
    for text in texts where !seen.contains(text) { seen.append(text) }
    return seen
  }
}
