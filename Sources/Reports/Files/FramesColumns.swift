internal import FrameBudget
internal import Parsing

/// Where the columns of a per-frame file stand, and what a line of it says.
struct FramesColumns {
  private let places: ColumnPlaces

  init(_ names: [String]) throws(InputError) {
    places = try ColumnPlaces(
      names, needed: RunKey.allCases.map(\.name) + FrameColumn.first.map(\.name),
      of: "per-frame file")
  }

  /// What tells the runs of a file from one another.
  func keys(_ fields: [String]) throws(InputError) -> [String] {
    try places.require(fields)
    return RunKey.allCases.map { places.text(fields, $0) }
  }

  func run(_ fields: [String], _ keys: [String]) throws(InputError) -> RecordedRun {
    let hertz = places.text(fields, .refresh)
    guard let refresh = RefreshRate(printed: hertz) else {
      throw InputError("\(InputError.quoted(hertz)) is not a refresh rate")
    }
    return RecordedRun(
      keys: keys, refresh: refresh,
      duration: .nanoseconds(
        try number(fields, RunKey.duration.name, places: 6, in: OutsideTime.spans)),
      learned: places.text(fields, Column.learned.name))
  }

  func frame(_ fields: [String]) throws(InputError) -> FrameRecord {
    var spans = PhaseSpans()
    for phase in Phase.allCases {
      let column = FrameColumn.span(phase).name
      guard places.has(column) else { continue }
      let span = try number(fields, column, places: 6, in: OutsideTime.addends)
      spans[phase] = TimeSpan(nanoseconds: span)
    }
    func value(
      _ column: FrameColumn, in allowed: ClosedRange<Int64> = OutsideTime.runInstants
    ) throws(InputError) -> Int64 {
      try number(fields, column.name, in: allowed)
    }
    /// Nil in files of before there was a pipeline.
    func newer(_ column: FrameColumn) throws(InputError) -> Int? {
      places.has(column.name) ? Int(try value(column)) : nil
    }
    let frame = FrameRecord(
      beginVsync: Int(try value(.beginVsync)), dueVsync: try newer(.dueVsync),
      presentVsync: Int(try value(.presentVsync)), begin: Instant(nanoseconds: try value(.begin)),
      workEnd: Instant(nanoseconds: try value(.workEnd)),
      ready: try newer(.ready).map { Instant(nanoseconds: Int64($0)) },
      dropped: try newer(.dropped), cause: try cause(fields, .cause),
      beginCause: try cause(fields, .beginCause), isStuffed: try newer(.isStuffed) ?? 0 > 0,
      isOnDemand: try newer(.isOnDemand) ?? 0 > 0,
      items: Int(try value(.items, in: OutsideTime.addends)),
      queueDepth: Int(try value(.queueDepth, in: OutsideTime.addends)), spans: spans)
    guard frame.presentVsync > frame.beginVsync,
      OutsideTime.vsyncs.contains(Int64(frame.presentVsync)),
      (1...Pipeline.deadlines.upperBound).contains(frame.dueVsync - frame.beginVsync),
      (0...frame.presentVsync).contains(frame.dropped)
    else { throw Self.outOfOrder }
    guard frame.workEnd >= frame.begin, frame.ready >= frame.workEnd else {
      throw InputError("the frame's work ends before it begins")
    }
    return frame
  }

  private func cause(_ fields: [String], _ column: FrameColumn) throws(InputError) -> Cause? {
    let name = places.text(fields, column.name)
    if name.isEmpty { return nil }
    guard let cause = Cause.allCases.first(where: { $0.name == name }) else {
      let allowed = Cause.allCases.map(\.name).joined(separator: ", ")
      throw InputError("\(InputError.quoted(name)) is not a cause; allowed: \(allowed)")
    }
    return cause
  }

  /// Whether `frame` can be the one after `other`: every vsync between two new images was dropped for the second.
  static func follows(_ frame: FrameRecord, _ other: FrameRecord) -> Bool {
    let isCutOff = frame.presentVsync == other.presentVsync && frame.dropped == 0
    let first = frame.droppedVsyncs.lowerBound
    let isNext =
      frame.isOnDemand ? first > other.presentVsync : first == other.presentVsync + 1
    return frame.beginVsync > other.beginVsync && (isCutOff || isNext)
  }

  static let outOfOrder = InputError(
    "each frame belongs to a later vsync than the one before and is shown later; are lines missing?"
  )

  private func number(
    _ fields: [String], _ name: String, places: Int = 0, in allowed: ClosedRange<Int64>
  ) throws(InputError) -> Int64 {
    let text = self.places.text(fields, name)
    guard let number = Decimal.units(text, places: places), allowed.contains(number) else {
      throw InputError(
        "\(InputError.quoted(text)) in column \(name) is not a number that fits")
    }
    return number
  }
}
