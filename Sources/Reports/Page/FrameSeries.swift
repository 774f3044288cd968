internal import FrameBudget
public import Parsing

/// The frames of one run, read back from a per-frame file.
public struct FrameSeries: Sendable {
  public var name: String
  let refresh: RefreshRate
  var frames: [Frame] = []

  struct Frame: Sendable {
    let second: Double
    /// `E - V(b)`.
    let milliseconds: Double
    let late: Int
    let cause: String
    let items: Int
    let waiting: Int

    /// When its work ended.
    var end: Double { second + milliseconds / 1000 }
  }

  /// More frames than a page can be drawn from: ten hours at 60 Hz.
  static let most = 2_000_000

  /// The first repetition of each strategy, engine and set of changes in a per-frame file.
  public static func read(_ source: consuming ByteSource) throws(InputError) -> [FrameSeries] {
    var records = CSVRecords(source)
    var columns: FramesColumns?
    var series: [FrameSeries] = []
    var total = 0
    try records.forEach { (fields) throws(InputError) in
      guard let known = columns else { return columns = try FramesColumns(fields) }
      let run = try known.run(fields, try known.keys(fields))
      guard run.text(.repetition) == "1" else { return }
      let frame = Frame(try known.frame(fields), run.refresh)
      total += 1
      guard total <= most else { throw InputError("more than \(most) frames") }
      if series.last?.name != run.name {
        series.append(FrameSeries(name: run.name, refresh: run.refresh))
      }
      series[series.count - 1].frames.append(frame)
    }
    return series
  }
}

extension FrameSeries.Frame {
  fileprivate init(_ frame: FrameRecord, _ refresh: RefreshRate) {
    let due = refresh.vsync(frame.beginVsync)
    self.init(
      second: due.sinceZero.inSeconds, milliseconds: (frame.workEnd - due).inMilliseconds,
      late: frame.lateVsyncs, cause: frame.cause?.name ?? "", items: frame.items,
      waiting: frame.queueDepth)
  }
}

extension RecordedRun {
  /// What all repetitions of it are called.
  fileprivate var name: String {
    let label = [text(.strategy), text(.options)].filter { !$0.isEmpty }.joined(separator: ":")
    return [scenario, label, text(.changes), text(.engine)].filter { !$0.isEmpty }
      .joined(separator: " · ")
  }
}
