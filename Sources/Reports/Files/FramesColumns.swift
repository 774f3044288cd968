internal import FrameBudget
internal import Parsing

/// Where the columns of a per-frame file stand, and what a line of it says.
struct FramesColumns {
  private let places: [String: Int]
  private let width: Int

  init(_ names: [String]) throws(InputError) {
    width = names.count
    places = Dictionary(zip(names, names.indices)) { first, _ in first }
    if let missing = FramesCSV.firstNames.first(where: { places[$0] == nil }) {
      throw InputError("is no per-frame file: it has no column '\(missing)'")
    }
  }

  /// What tells the runs of a file from one another.
  func keys(_ fields: [String]) throws(InputError) -> [String] {
    guard fields.count == width else {
      throw InputError(
        "the line has \(fields.count) fields where the header has \(width); is it cut off?")
    }
    return ReportRow.keyNames.map { text(fields, $0) }
  }

  func run(_ fields: [String], _ keys: [String]) throws(InputError) -> RecordedRun {
    guard let refresh = RefreshRate(printed: text(fields, "refresh_hz")) else {
      throw InputError("\(quoted(fields, "refresh_hz")) is not a refresh rate")
    }
    let options = text(fields, "options").split(separator: ";").map { ":\($0)" }.joined()
    let repetition = text(fields, "repetition")
    return RecordedRun(
      keys: keys, scenario: text(fields, "scenario"),
      label: "\(text(fields, "strategy"))\(options) \(text(fields, "engine"))"
        + (repetition == "1" ? "" : " #\(repetition)"),
      refresh: refresh)
  }

  func frame(_ fields: [String]) throws(InputError) -> FrameRecord {
    var spans = PhaseSpans()
    for phase in Phase.allCases where places[FramesCSV.column(phase)] != nil {
      let span = try number(fields, FramesCSV.column(phase), places: 6, below: Self.mostAdded)
      spans[phase] = TimeSpan(nanoseconds: span)
    }
    let cause = text(fields, "cause")
    let known = Cause.allCases.first { $0.name == cause }
    guard known != nil || cause.isEmpty else {
      let allowed = Cause.allCases.map(\.name).joined(separator: ", ")
      throw InputError("\(quoted(fields, "cause")) is not a cause; allowed: \(allowed)")
    }
    return FrameRecord(
      beginVsync: Int(try number(fields, "begin_vsync")),
      presentVsync: Int(try number(fields, "present_vsync")),
      begin: Instant(nanoseconds: try number(fields, "begin_ns")),
      workEnd: Instant(nanoseconds: try number(fields, "work_end_ns")), cause: known,
      items: Int(try number(fields, "items", below: Self.mostAdded)),
      queueDepth: Int(try number(fields, "queue_depth", below: Self.mostAdded)),
      spans: spans)
  }

  /// What is added up over frames: sums of as many as a file may have fit into 64 bits.
  private static let mostAdded: Int64 = 1 << 43

  private func number(
    _ fields: [String], _ name: String, places: Int = 0, below most: Int64 = 1 << 50
  ) throws(InputError) -> Int64 {
    guard let number = Decimal.units(text(fields, name), places: places),
      (0..<most).contains(number)
    else { throw InputError("\(quoted(fields, name)) in column \(name) is not a number that fits") }
    return number
  }

  private func text(_ fields: [String], _ name: String) -> String {
    places[name].map { fields[$0] } ?? ""
  }

  private func quoted(_ fields: [String], _ name: String) -> String {
    InputError.quoted(text(fields, name))
  }
}
