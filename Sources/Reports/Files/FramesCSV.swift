public import FrameBudget

/// The per-frame file: a line for each frame of each run, with all that a frame knows.
public enum FramesCSV {
  public static let header = CSV.line(names)

  static let names = firstNames + laterPhases.map(column)

  /// Columns that files of earlier versions do not have.
  static let laterPhases: [Phase] = [.preempted, .machine]

  /// Those that every per-frame file has.
  static let firstNames =
    ReportRow.keyNames + [
      "frame", "begin_vsync", "present_vsync", "begin_ns", "work_end_ns", "late_vsyncs", "cause",
      "items", "queue_depth",
    ] + Phase.allCases.filter { !laterPhases.contains($0) }.map(column)

  static func column(_ phase: Phase) -> String { "\(phase.name)_ms" }

  public static func lines(_ row: ReportRow) -> String {
    lines(row.log.frames.records, keys: row.keys.map(\.value.description))
  }

  /// The frames up to now of a run that is under way.
  public static func lines(
    _ frames: [FrameRecord], of plan: RunPlan, engine: EngineKind, cores: Int, until now: TimeSpan
  ) -> String {
    let strategy = plan.strategy
    let keys = [
      String(MetricCatalog.schema), plan.scenario.name, strategy.name, strategy.options, "",
      engine.rawValue, String(cores), "1", String(plan.seed),
      MetricValue.real(plan.scenario.display.refresh.hertz).description,
      MetricValue.real(now.inMilliseconds).description, "",
    ]
    return lines(frames, keys: keys)
  }

  static func lines(_ frames: [FrameRecord], keys: [String]) -> String {
    frames.indices.map { CSV.line(keys + fields($0, frames[$0])) }.joined()
  }

  public static func text(_ rows: [ReportRow]) -> String { header + rows.map(lines).joined() }

  private static func fields(_ number: Int, _ frame: FrameRecord) -> [String] {
    [
      String(number), String(frame.beginVsync), String(frame.presentVsync),
      String(frame.begin.nanoseconds), String(frame.workEnd.nanoseconds), String(frame.lateVsyncs),
      frame.cause?.name ?? "", String(frame.items), String(frame.queueDepth),
    ] + Phase.allCases.map { Decimal.text(frame.spans[$0].inMilliseconds, places: 6) }
  }
}
