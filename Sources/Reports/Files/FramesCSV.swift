public import FrameBudget

/// The per-frame file: a line for each frame of each run, with all that a frame knows.
public enum FramesCSV {
  public static let header = CSV.line(columns.map(\.name))

  /// Behind the keys of its run, a frame and its number in the run.
  static let columns: [Column<(number: Int, frame: FrameRecord)>] =
    RunKey.allCases.map { Column($0.name, $0.meaning) { _ in nil } }
    + FrameColumn.all.map { column in
      Column(column.name, column.meaning, column.unit) { column.value($0.number, $0.frame) }
    } + [.learnedMark { _ in nil }]

  public static func lines(_ row: ReportRow) -> String {
    lines(
      row.log.frames.records, keys: RunKey.allCases.map { row.value(of: $0).description },
      learned: mark(row.log.learned))
  }

  /// The frames up to now of a run that is under way.
  public static func lines(
    _ frames: [FrameRecord], of plan: RunPlan, engine: EngineKind, cores: Int, until now: TimeSpan
  ) -> String {
    let keys: [RunKey: MetricValue] = [
      .schema: .count(MetricCatalog.schema), .scenario: .text(plan.scenario.name),
      .strategy: .text(plan.strategy.name), .options: .text(plan.strategy.options),
      .engine: .text(engine.rawValue), .cores: .count(cores), .repetition: .count(1),
      .seed: .text(String(plan.seed)), .refresh: .real(plan.scenario.display.refresh.hertz),
      .duration: .real(now.inMilliseconds),
    ]
    return lines(
      frames, keys: RunKey.allCases.map { keys[$0]?.description ?? "" },
      learned: mark(plan.scenario.learned))
  }

  static func lines(_ frames: [FrameRecord], keys: [String], learned: String) -> String {
    frames.indices.map { number in
      let cells = FrameColumn.all.map { $0.value(number, frames[number])?.description ?? "" }
      return CSV.line(keys + cells + [learned])
    }.joined()
  }

  private static func mark(_ learned: Learned?) -> String { learned?.replay.rawValue ?? "" }

  public static func text(_ rows: [ReportRow]) -> String { header + rows.map(lines).joined() }
}
