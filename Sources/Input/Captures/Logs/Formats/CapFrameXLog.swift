import FrameBudget
import FrameBudgetParsing

/// CapFrameX's JSON: runs of arrays with PresentMon's columns (CXWorld/CapFrameX, `ISessionCaptureData`).
struct CapFrameXLog {
  private let refresh: RefreshRate?
  private var process = "CapFrameX"
  private var machine = ""
  private var runs: [FrameTally] = []
  private(set) var hasRuns = false

  init(refresh: RefreshRate?) { self.refresh = refresh }

  mutating func readInfo(_ reader: inout JSONReader) throws(InputError) {
    var facts: [String: String] = [:]
    try reader.object { (reader, key) throws(InputError) in
      if ["ProcessName", "Processor", "GPU"].contains(key), try reader.kind() == .string {
        facts[key] = try reader.string()
      } else {
        try reader.skip()
      }
    }
    if let name = facts["ProcessName"] { process = name }
    machine = ["Processor", "GPU"].compactMap { facts[$0] }.joined(separator: ", ")
  }

  mutating func readRuns(_ reader: inout JSONReader) throws(InputError) {
    hasRuns = true
    let refresh = refresh
    var runs: [FrameTally] = []
    try reader.array { (reader) throws(InputError) in
      guard runs.count < StreamTable.maxStreams else { throw reader.failure("too many runs") }
      try reader.object { (reader, key) throws(InputError) in
        if key == "CaptureData" {
          runs.append(try CaptureData(&reader).tally(refresh: refresh, reader))
        } else {
          try reader.skip()
        }
      }
    }
    self.runs = runs
  }

  consuming func finish() -> [ImportedFrames] {
    let (process, machine) = (process, machine)
    return runs.enumerated().map { index, tally in
      ImportedFrames(
        StreamKey(process: process, run: index + 1, machine: machine), tally,
        showsDisplay: tally.displayChanges > 0 || tally.superseded ?? 0 > 0,
        figures: GameFigures(tally).figures)
    }
  }
}

/// The arrays of one run, with an element for each present.
private struct CaptureData {
  private var times: [FixedPoint] = []
  private var presents: [FixedPoint] = []
  private var displays: [FixedPoint] = []
  private var dropped: [Bool] = []
  private var tearing: [FixedPoint] = []

  init(_ reader: inout JSONReader) throws(InputError) {
    var data = self
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "TimeInSeconds": data.times = try Self.numbers(&reader, places: 9)
      case "MsBetweenPresents": data.presents = try Self.numbers(&reader, places: 6)
      case "MsBetweenDisplayChange": data.displays = try Self.numbers(&reader, places: 6)
      case "AllowsTearing": data.tearing = try Self.numbers(&reader, places: 0)
      case "Dropped":
        data.dropped = try reader.elements { (reader) throws(InputError) in try reader.boolean() }
      default: try reader.skip()
      }
    }
    self = data
  }

  private static func numbers(
    _ reader: inout JSONReader, places: Int
  ) throws(InputError) -> [FixedPoint] {
    try reader.elements { (reader) throws(InputError) in
      switch try reader.kind() {
      // Capture tools write NaN as a string.
      case .string:
        _ = try reader.string()
        return .missing
      case .boolean: return .value(try reader.boolean() ? 1 : 0)
      default: return try reader.fixedPoint(places: places)
      }
    }
  }

  func tally(refresh: RefreshRate?, _ reader: borrowing JSONReader) throws(InputError) -> FrameTally
  {
    guard !presents.isEmpty else { throw reader.failure("a run without MsBetweenPresents") }
    for count in [times.count, displays.count, dropped.count, tearing.count]
    where count != 0 && count != presents.count {
      throw reader.failure("the arrays of a run differ in length: \(presents.count) and \(count)")
    }
    var tally = FrameTally(refresh: refresh, clock: .screen)
    for index in presents.indices { try read(index, into: &tally) }
    return tally
  }

  private func read(_ index: Int, into tally: inout FrameTally) throws(InputError) {
    tally.issues.row()
    if !times.isEmpty { try tally.note(instant: instant(index)) }
    if let span = tally.span(presents[index], entry: index), span > 0 {
      tally.frame(span)
    } else if presents[index] == .missing {
      tally.issues.missed()
    }
    guard !displays.isEmpty else { return }
    tally.distinguishSuperseded()
    if dropped.isEmpty ? displays[index] == .missing : dropped[index] {
      tally.supersede()
    } else {
      let interval = tally.span(displays[index], entry: index)
      // The first image has no interval, because the interval is to the previous image of the run.
      tally.shown(
        after: tally.displayChanges == 0 ? nil : interval,
        waitsForVsync: tearing.isEmpty || tearing[index] != .value(1))
    }
  }

  private func instant(_ index: Int) throws(InputError) -> Int64? {
    if times[index] == .missing { return nil }
    guard let instant = times[index].value(in: InputTime.instants) else {
      throw InputError("entry \(index + 1) of TimeInSeconds is out of range")
    }
    return instant
  }
}

extension FrameTally {
  /// The span in `point`, if a frame can take it; otherwise records an issue.
  fileprivate mutating func span(_ point: FixedPoint, entry: Int) -> Int64? {
    switch point {
    case .value(let value) where InputTime.frames.contains(value): return value
    case .missing: return nil
    case .value(let value):
      issues.noteImpossible("\(Decimal.text(Double(value) / 1e6, places: 6)) ms", line: entry + 1)
    case .outOfRange, .malformed: issues.noteImpossible("out of range", line: entry + 1)
    }
    return nil
  }
}
