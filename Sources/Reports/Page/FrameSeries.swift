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
    var columns: FrameColumns?
    var series: [FrameSeries] = []
    var total = 0
    try records.forEach { (fields) throws(InputError) in
      guard let known = columns else { return columns = try FrameColumns(fields) }
      guard let (name, refresh, frame) = try known.frame(fields) else { return }
      total += 1
      guard total <= most else { throw InputError("more than \(most) frames") }
      if series.last?.name != name { series.append(FrameSeries(name: name, refresh: refresh)) }
      series[series.count - 1].frames.append(frame)
    }
    return series
  }
}

/// Where the columns of a per-frame file stand.
private struct FrameColumns {
  private let places: [String: Int]
  private let width: Int

  init(_ names: [String]) throws(InputError) {
    width = names.count
    places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    let needed = [
      "scenario", "strategy", "options", "changes", "engine", "repetition", "refresh_hz",
      "begin_vsync", "work_end_ns", "late_vsyncs", "cause", "items", "queue_depth",
    ]
    for name in needed where places[name] == nil {
      throw InputError("is no per-frame file: it has no column '\(name)'")
    }
  }

  /// Nil for a later repetition.
  func frame(
    _ fields: [String]
  ) throws(InputError) -> (String, RefreshRate, FrameSeries.Frame)? {
    guard fields.count == width else {
      throw InputError("the row has \(fields.count) fields where the header has \(width)")
    }
    func text(_ name: String) -> String { places[name].map { fields[$0] } ?? "" }
    guard text("repetition") == "1" else { return nil }
    guard let refresh = RefreshRate(printed: text("refresh_hz")),
      let vsync = Int(text("begin_vsync")), (0...1_000_000_000).contains(vsync),
      let end = Int64(text("work_end_ns")), (0...1_000_000_000_000_000).contains(end)
    else { throw InputError("a frame's numbers are not numbers") }
    let late = try Self.count(text("late_vsyncs"), "late_vsyncs")
    let items = try Self.count(text("items"), "items")
    let waiting = try Self.count(text("queue_depth"), "queue_depth")
    let due = refresh.vsync(vsync)
    let work = TimeSpan(nanoseconds: end - due.nanoseconds)
    let label = [text("strategy"), text("options")].filter { !$0.isEmpty }.joined(separator: ":")
    let name = [text("scenario"), label, text("changes"), text("engine")]
    return (
      name.filter { !$0.isEmpty }.joined(separator: " · "), refresh,
      FrameSeries.Frame(
        second: due.sinceZero.inSeconds, milliseconds: work.inMilliseconds, late: late,
        cause: text("cause"), items: items, waiting: waiting)
    )
  }

  /// A number of vsyncs or items; sums of all frames that a page takes fit into 64 bits.
  private static func count(_ text: String, _ column: String) throws(InputError) -> Int {
    if let count = Int(text), (0...1_000_000_000).contains(count) { return count }
    throw InputError(
      "\(InputError.quoted(text)) in column \(column) is not a number from 0 to 1000000000")
  }
}
