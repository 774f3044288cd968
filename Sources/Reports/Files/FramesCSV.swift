internal import FrameBudget

/// The per-frame file: a line for each frame of each run, with all that a frame knows.
public enum FramesCSV {
  public static let header = CSV.line(
    ReportRow.keyNames + [
      "frame", "begin_vsync", "present_vsync", "begin_ns", "work_end_ns", "late_vsyncs", "cause",
      "items", "queue_depth",
    ] + Phase.allCases.map { "\($0.name)_ms" })

  public static func lines(_ row: ReportRow) -> String {
    let keys = row.keys.map(\.value.description)
    let frames = row.log.frames.records
    return frames.indices.map { CSV.line(keys + fields($0, frames[$0])) }.joined()
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
