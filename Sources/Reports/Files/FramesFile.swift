internal import FrameBudget

/// Reads what `FramesCSV` writes: every run in a file, with all that its frames know.
public struct FramesFile {
  private let file: String
  private let places: [String: Int]
  private var line = 1
  private var runs: [RecordedRun] = []
  private var newest: [Substring] = []

  /// The runs in `text`, in the order in which they begin; `file` is what errors call it.
  public static func runs(
    in text: String, file: String
  ) throws(FramesFileError) -> [RecordedRun] {
    var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }[...]
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    let header = lines.popFirst() ?? ""
    var reader = try FramesFile(header: header, file: file)
    for line in lines { try reader.read(line) }
    guard !reader.runs.isEmpty else { throw reader.error("there is no frame in it") }
    return reader.runs
  }

  private init(header: Substring, file: String) throws(FramesFileError) {
    self.file = file
    let names = CSV.fields(of: header) ?? []
    places = Dictionary(zip(names, names.indices)) { first, _ in first }
    let wanted = CSV.fields(of: FramesCSV.header.dropLast()) ?? []
    if let missing = wanted.first(where: { places[$0] == nil }) {
      throw error(
        "no column '\(missing)'; a file that 'framebudget run --frames FILE' wrote has it")
    }
  }

  private mutating func read(_ text: Substring) throws(FramesFileError) {
    line += 1
    guard let fields = CSV.fields(of: text), fields.count == places.count else {
      throw error("\(places.count) fields are expected, as in the header")
    }
    let frame = try frame(fields)
    let key = FramesCSV.runKeys.map { self.text(fields, $0)[...] }
    if key != newest {
      newest = key
      try begin(fields)
    }
    try append(frame)
  }

  private mutating func begin(_ fields: [String]) throws(FramesFileError) {
    let options = text(fields, "options").split(separator: ";").map { ":\($0)" }.joined()
    guard let refresh = RefreshRate(printed: text(fields, "refresh_hz")) else {
      throw error("refresh_hz is not a rate from 1 to 1000")
    }
    let repetition = text(fields, "repetition")
    runs.append(
      RecordedRun(
        scenario: text(fields, "scenario"),
        label: "\(text(fields, "strategy"))\(options) \(text(fields, "engine"))"
          + (repetition == "1" ? "" : " #\(repetition)"),
        refresh: refresh, frames: []))
  }

  private mutating func append(_ frame: FrameRecord) throws(FramesFileError) {
    let expected = runs[runs.count - 1].frames.last?.presentVsync ?? frame.beginVsync
    guard frame.beginVsync == expected, frame.presentVsync > frame.beginVsync,
      frame.presentVsync <= Self.lastVsync
    else { throw error("a frame begins where the one before it was shown, and is shown later") }
    guard frame.workEnd >= frame.begin, frame.begin >= .zero else {
      throw error("a frame's work ends before it begins")
    }
    runs[runs.count - 1].frames.append(frame)
  }

  /// A day at 1000 Hz.
  private static let lastVsync = 86_400_000

  private func frame(_ fields: [String]) throws(FramesFileError) -> FrameRecord {
    var spans = PhaseSpans()
    for phase in Phase.allCases {
      spans[phase] = TimeSpan(nanoseconds: try number(fields, "\(phase.name)_ms", places: 6))
    }
    let cause = text(fields, "cause")
    guard cause.isEmpty || Cause.allCases.contains(where: { $0.name == cause }) else {
      throw error(
        "'\(cause)' is no cause; allowed: \(Cause.allCases.map(\.name).joined(separator: ", "))")
    }
    return FrameRecord(
      beginVsync: try count(fields, "begin_vsync"),
      presentVsync: try count(fields, "present_vsync"),
      begin: Instant(nanoseconds: try number(fields, "begin_ns")),
      workEnd: Instant(nanoseconds: try number(fields, "work_end_ns")),
      cause: Cause.allCases.first { $0.name == cause }, items: try count(fields, "items"),
      queueDepth: try count(fields, "queue_depth"), spans: spans)
  }

  private func count(_ fields: [String], _ name: String) throws(FramesFileError) -> Int {
    Int(try number(fields, name))
  }

  private func number(
    _ fields: [String], _ name: String, places: Int = 0
  ) throws(FramesFileError) -> Int64 {
    guard let number = Decimal.units(text(fields, name), places: places),
      (0..<(1 << 50)).contains(number)
    else { throw error("\(name) '\(text(fields, name))' is not a number that fits") }
    return number
  }

  private func text(_ fields: [String], _ name: String) -> String {
    places[name].map { fields[$0] } ?? ""
  }

  private func error(_ problem: String) -> FramesFileError {
    FramesFileError(file, line: line, problem)
  }
}

extension FramesCSV {
  /// What tells the runs of a file from one another.
  static let runKeys = [
    "scenario", "strategy", "options", "changes", "engine", "repetition", "seed", "refresh_hz",
  ]
}

extension RefreshRate {
  /// The rate that was printed with six decimals: the broadcast rates are no decimal numbers.
  init?(printed text: String) {
    guard let micro = Decimal.units(text, places: 6), (1_000_000...1_000_000_000).contains(micro)
    else { return nil }
    for frames: Int64 in [24_000, 30_000, 60_000, 120_000] {
      let broadcast = RefreshRate(frames, over: 1001)
      if Decimal.text(broadcast.hertz, places: 6) == text {
        self = broadcast
        return
      }
    }
    self.init(micro, over: 1_000_000)
  }
}
