import FrameBudget
import FrameBudgetParsing

/// Tables of Instruments, exported by `xctrace export`: hitches and hangs by process, and vsyncs and pictures by display.
///
/// Only `hitches` (and `hitches-summary` of iOS 18) is about hitches: the tables of stages overlap it and each other.
struct XctraceLog {
  private enum Table {
    case hitches, hangs, vsyncs, pictures

    /// Nil for tables that say nothing about frames.
    init?(_ schema: String) {
      switch schema {
      case "hitches", "hitches-summary": self = .hitches
      case "potential-hangs": self = .hangs
      case "display-vsyncs-interval": self = .vsyncs
      case "display-surface-swap", "displayed-surfaces-interval": self = .pictures
      default: return nil
      }
    }
  }

  /// The intervals of a process, in nanoseconds.
  private struct Found {
    var spans: [Int64] = []
    var first = Int64.max
    var last = Int64.min

    mutating func add(_ begin: Int64, _ length: Int64) {
      spans.append(length)
      first = min(first, begin)
      last = max(last, begin + length)
    }

    var total: Double { spans.reduce(0) { $0 + Double($1) } / 1e6 }
    var longest: Double { Double(spans.max() ?? 0) / 1e6 }
  }

  private var keys: [String] = []
  private var hitches: [String: Found] = [:]
  private var hangs: [String: Found] = [:]
  /// By display.
  private var vsyncs: [String: [Int64]] = [:]
  private var pictures: [String: [Int64]] = [:]
  private var rows = 0

  static func read(
    _ source: consuming ByteSource, refresh: RefreshRate?
  ) throws(InputError) -> [ImportedFrames] {
    var log = Self()
    try XctraceTables.read(source) { row throws(InputError) in try log.take(row) }
    guard log.rows > 0 else { throw XctraceTables.withoutRows }
    return log.imported(refresh: refresh)
  }

  private mutating func take(_ row: borrowing XctraceTables) throws(InputError) {
    guard let table = Table(row.schema) else { throw Self.refusal(of: row.schema) }
    rows += 1
    let owner = table == .hitches || table == .hangs ? row.label("process") : nil
    let key = owner ?? row.label("display-name") ?? row.label("display") ?? "unknown"
    if !keys.contains(key) {
      guard keys.count < StreamTable.maxStreams else {
        throw InputError("more than \(StreamTable.maxStreams) processes and displays")
      }
      keys.append(key)
    }
    switch table {
    case .hitches: hitches[key, default: Found()].add(try row.instant("start"), try row.length())
    case .hangs: hangs[key, default: Found()].add(try row.instant("start"), try row.length())
    // A duration of 1 ns stands for none.
    case .vsyncs: vsyncs[key, default: []].append(try row.instant("timestamp"))
    case .pictures:
      let column = row.schema == "display-surface-swap" ? "timestamp" : "start"
      pictures[key, default: []].append(try row.instant(column))
    }
  }

  private static func refusal(of schema: String) -> InputError {
    if schema.hasPrefix("hitches-") {
      return InputError(
        "its table '\(schema.printable)' is of a stage of frames, and stages overlap: export the table 'hitches'"
      )
    }
    return InputError(
      "its table '\(schema.printable)' has no frames; supported: hitches, hitches-summary, potential-hangs, "
        + "display-vsyncs-interval, display-surface-swap and displayed-surfaces-interval; "
        + "'framebudget learn' reads runloop-intervals, SwiftTaskStateTable and OSSignpostIntervals"
    )
  }

  private func imported(refresh: RefreshRate?) -> [ImportedFrames] {
    let rates = vsyncs.compactMapValues { Self.rate($0) }
    return keys.map { key in
      // Of an app, the rate is that of the only display.
      let known = rates[key] ?? (rates.count == 1 ? rates.first?.value : nil)
      var tally = FrameTally(refresh: known ?? refresh, clock: .screen)
      for _ in 0..<rows(of: key) { tally.issues.row() }
      // A picture of several surfaces has a row for each.
      let shown = Set(pictures[key] ?? []).sorted()
      var previous: Int64?
      for instant in shown {
        tally.shown(after: previous.map { instant - $0 })
        previous = instant
      }
      return ImportedFrames(
        StreamKey(process: key), tally, showsDisplay: !shown.isEmpty,
        duration: shown.isEmpty ? span(of: key) : nil,
        unknown: shown.count > 1
          ? [.times, .rate, .causes, .pipeline] : [.times, .rate, .causes, .pipeline, .screen],
        figures: figures(of: key), doubt: Self.doubt)
    }
  }

  private static let doubt =
    "the tables do not say at which vsyncs a frame was wanted, so dropped frames are empty"

  private func rows(of key: String) -> Int {
    (hitches[key]?.spans.count ?? 0) + (hangs[key]?.spans.count ?? 0) + (vsyncs[key]?.count ?? 0)
      + (pictures[key]?.count ?? 0)
  }

  /// From the begin of the first row to the end of the last one: an export does not have the recording's length.
  private func span(of key: String) -> TimeSpan {
    let found = [hitches[key], hangs[key]].compactMap(\.self)
    let instants = vsyncs[key] ?? []
    guard let first = (found.map(\.first) + instants).min(),
      let last = (found.map(\.last) + instants).max(), InputTime.spans.contains(last - first)
    else { return .zero }
    return .nanoseconds(last - first)
  }

  private func figures(of key: String) -> [RecordedFigure] {
    func figure(_ metric: Metric, _ title: String, _ value: MetricValue) -> RecordedFigure {
      RecordedFigure(RecordedMetric(metric, title), value)
    }
    var figures: [RecordedFigure] = []
    if let found = hitches[key] {
      figures += [
        figure(.hitches, "hitches", .count(found.spans.count)),
        figure(.hitchTotal, "hitch duration", .real(found.total)),
        figure(.hitchMax, "longest hitch", .real(found.longest)),
      ]
    }
    if let found = hangs[key] {
      let counts = found.spans.filter { .nanoseconds($0) > FrameThresholds.hang }
        .reduce(into: FrameCounts()) { $0.add(hang: .nanoseconds($1)) }
      figures += [
        figure(.hangs, "hangs", .count(counts.hangs)),
        figure(.hangTotal, "hang duration", .real(counts.hangTotal.inMilliseconds)),
        figure(.microhangs, "Microhang", .count(counts.microhangs)),
        figure(.fullHangs, "Hang", .count(counts.fullHangs)),
        figure(.severeHangs, "Severe Hang", .count(counts.severeHangs)),
        RecordedFigure(.potentialHangs, .count(found.spans.count)),
        RecordedFigure(.potentialHangTime, .real(found.total)),
      ]
    }
    return figures
  }

  /// The rate of the median span between vsyncs; nil if no screen has it.
  private static func rate(_ instants: [Int64]) -> RefreshRate? {
    let sorted = instants.sorted()
    let spans = zip(sorted.dropFirst(), sorted).map { $0 - $1 }.filter { $0 > 0 }
    guard let median = spans.middle, RefreshRate(period: .nanoseconds(median)) != nil
    else { return nil }
    return VsyncGrid.rate(period: Double(median))
  }
}
