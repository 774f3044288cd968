package import FrameBudget

/// The positions of the columns of a per-frame file (`--frames`), and how to read a line.
package struct FramesColumns: Sendable {
  /// What is read of a frame.
  package enum Scope: Sendable {
    /// Everything.
    case all
    /// Instants, vsyncs, causes and hangs: what metrics of frames follow from.
    case instants
  }

  /// Where each column stands.
  package let places: ColumnPlaces
  private let keys: [Int]
  private let duration: NumberColumn
  private let begin: NumberColumn
  private let asked: NumberColumn
  private let due: NumberColumn
  private let present: NumberColumn
  private let woke: NumberColumn
  private let workEnd: NumberColumn
  private let ready: NumberColumn
  private let dropped: NumberColumn
  private let isStuffed: NumberColumn
  private let isOnDemand: NumberColumn
  private let items: NumberColumn
  private let queueDepth: NumberColumn
  private let cause: Int?
  private let beginCause: Int?
  private let hangsBetween: Int?
  private let parts: Int?
  private let partsWaiting: NumberColumn
  private let spans: [(phase: Phase, column: NumberColumn)]

  package init(_ names: [String], _ scope: Scope = .all) throws(InputError) {
    let places = try ColumnPlaces(
      names, needed: RunKey.allCases.map(\.name) + FrameColumn.first.map(\.name),
      of: "per-frame file")
    func number(_ column: FrameColumn) -> NumberColumn {
      NumberColumn(column.name, decimals: 0, in: places)
    }
    keys = RunKey.allCases.compactMap { places.place($0.name) }
    duration = NumberColumn(RunKey.duration.name, decimals: 6, in: places)
    (begin, due, present) = (number(.beginVsync), number(.dueVsync), number(.presentVsync))
    asked = number(.askedVsync)
    (woke, workEnd, ready) = (number(.begin), number(.workEnd), number(.ready))
    (dropped, isStuffed, isOnDemand) = (number(.dropped), number(.isStuffed), number(.isOnDemand))
    (items, queueDepth) = (number(.items), number(.queueDepth))
    cause = places.place(FrameColumn.cause.name)
    beginCause = places.place(FrameColumn.beginCause.name)
    hangsBetween = places.place(FrameColumn.hangsBetween.name)
    parts = scope == .all ? places.place(FrameColumn.parts.name) : nil
    partsWaiting = NumberColumn(FrameColumn.partsWaiting.name, decimals: 6, in: places)
    spans =
      scope == .all
      ? Phase.allCases.map {
        ($0, NumberColumn(FrameColumn.span($0).name, decimals: 6, in: places))
      }.filter { $1.exists } : []
    self.places = places
  }

  /// Whether the file says how frames got from the main thread to the screen; files of earlier versions do not.
  package var havePipeline: Bool {
    FrameColumn.pipeline.allSatisfy { places.has($0.name) }
  }

  /// The position of a key of runs.
  package func place(_ key: RunKey) -> Int { keys[RunKey.allCases.firstIndex(of: key) ?? 0] }

  /// Throws unless a line has as many fields as the header.
  package func require(_ fields: CSVFields) throws(InputError) { try places.require(fields.count) }

  /// The fields that distinguish the runs of a file.
  package func keys(_ fields: CSVFields, _ line: Span<UInt8>) -> [[UInt8]] {
    keys.map { place in fields.range(place).map { line[$0] } }
  }

  /// Whether the line has these fields.
  package func have(_ known: [[UInt8]], _ fields: CSVFields, _ line: Span<UInt8>) -> Bool {
    guard known.count == keys.count else { return false }
    for (place, key) in zip(keys, known) {
      let range = fields.range(place)
      guard range.count == key.count else { return false }
      for index in key.indices where key[index] != line[range.lowerBound + index] { return false }
    }
    return true
  }

  /// The keys of the line's run, in the order of `RunKey.allCases`.
  package func texts(_ fields: CSVFields, _ line: Span<UInt8>) -> [String] {
    keys.map { fields.plain($0, of: line) }
  }

  package func refresh(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> RefreshRate {
    let text = fields.plain(place(.refresh), of: line)
    guard let refresh = RefreshRate(printed: text) else {
      throw InputError("\(InputError.quoted(text)) is not a refresh rate")
    }
    return refresh
  }

  package func duration(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> TimeSpan {
    .nanoseconds(try duration.value(fields, line, in: InputTime.spans))
  }

  /// The frame in a line. Sets `other` if it has a cause that this version does not know.
  package func frame(
    _ fields: CSVFields, _ line: Span<UInt8>, otherCause other: inout String?
  ) throws(InputError) -> FrameRecord {
    var spans = PhaseSpans()
    for (phase, column) in self.spans {
      let span = try column.value(fields, line, in: InputTime.addends)
      spans[phase] = TimeSpan(nanoseconds: span)
    }
    func value(
      _ column: NumberColumn, in allowed: ClosedRange<Int64> = InputTime.runInstants
    ) throws(InputError) -> Int64 {
      try column.value(fields, line, in: allowed)
    }
    /// Nil in files of earlier versions, without a pipeline.
    func newer(_ column: NumberColumn) throws(InputError) -> Int? {
      column.exists ? Int(try value(column)) : nil
    }
    let frame = FrameRecord(
      beginVsync: Int(try value(begin)), askedVsync: try newer(asked), dueVsync: try newer(due),
      presentVsync: Int(try value(present)), begin: Instant(nanoseconds: try value(woke)),
      workEnd: Instant(nanoseconds: try value(workEnd)),
      ready: try newer(ready).map { Instant(nanoseconds: Int64($0)) },
      dropped: try newer(dropped), cause: cause(fields, line, cause, &other),
      beginCause: cause(fields, line, beginCause, &other),
      isStuffed: try newer(isStuffed) ?? 0 > 0, isOnDemand: try newer(isOnDemand) ?? 0 > 0,
      items: Int(try value(items, in: InputTime.addends)),
      queueDepth: Int(try value(queueDepth, in: InputTime.addends)), spans: spans,
      hangsBetween: try hangs(fields, line), parts: try parts(fields, line),
      partsWaiting: try partsWaiting(fields, line))
    try frame.check()
    return frame
  }

  private func hangs(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> [TimeSpan] {
    guard let hangsBetween, !fields.range(hangsBetween).isEmpty else { return [] }
    return try FrameRecord.hangs(fields.plain(hangsBetween, of: line))
  }

  private func parts(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> [FramePartTime]
  {
    guard let parts else { return [] }
    let text = fields.plain(parts, of: line)
    let times = CellList.values(text) { element -> FramePartTime? in
      guard let (name, time) = CellList.setting(element), !name.isEmpty else { return nil }
      return InputTime.span(inCell: time).map { FramePartTime(name: name, span: $0) }
    }
    guard let times else {
      let name = FrameColumn.parts.name
      throw InputError(
        "\(InputError.quoted(text)) in column \(name) is not a list of names with times")
    }
    return times
  }

  private func partsWaiting(
    _ fields: CSVFields, _ line: Span<UInt8>
  ) throws(InputError) -> TimeSpan {
    guard !partsWaiting.isEmpty(fields) else { return .zero }
    return .nanoseconds(try partsWaiting.value(fields, line, in: InputTime.spans))
  }

  private func cause(
    _ fields: CSVFields, _ line: Span<UInt8>, _ place: Int?, _ other: inout String?
  ) -> Cause? {
    guard let place, !fields.range(place).isEmpty else { return nil }
    return FrameRecord.cause(fields.plain(place, of: line), otherwise: &other)
  }
}

extension FrameRecord {
  /// The cause with this name; nil if the name is empty, and, with the name in `other`, if this version does not know it.
  package static func cause(_ name: String, otherwise other: inout String?) -> Cause? {
    if name.isEmpty { return nil }
    let cause = Cause.allCases.first { $0.name == name }
    if cause == nil { other = name }
    return cause
  }

  /// The turns of the queue that hang, from their cell.
  package static func hangs(_ text: String) throws(InputError) -> [TimeSpan] {
    guard let hangs = CellList.values(text, InputTime.span(inCell:)) else {
      let name = FrameColumn.hangsBetween.name
      throw InputError("\(InputError.quoted(text)) in column \(name) is not a list of times")
    }
    return hangs
  }

  /// Throws unless the frame's vsyncs and instants fit together.
  package func check() throws(InputError) {
    guard
      [beginVsync, askedVsync, presentVsync].allSatisfy({ InputTime.vsyncs.contains(Int64($0)) }),
      (0...beginVsync).contains(askedVsync), presentVsync > beginVsync,
      Pipeline.deadlines.contains(dueVsync.subtractingReportingOverflow(beginVsync).partialValue),
      (0...presentVsync).contains(dropped)
    else { throw Self.outOfOrder }
    guard [begin, workEnd, ready].allSatisfy({ InputTime.runInstants.contains($0.nanoseconds) }),
      workEnd >= begin, ready >= workEnd
    else { throw InputError("the frame's work ends before it begins") }
  }

  /// Whether it can follow a frame that began at `begin` and was shown at `shown`, in a run with that last vsync: every vsync
  /// between two new images was dropped for the second, or the run's end cut both off.
  package func follows(begin: Int, shown: Int, last: @autoclosure () -> Int) -> Bool {
    let isCutOff = presentVsync == shown && dropped == 0 && presentVsync > last()
    let first = droppedVsyncs.lowerBound
    let isNext = isOnDemand ? first > shown : first == shown + 1
    return beginVsync > begin && (isCutOff || isNext)
  }

  package static let outOfOrder = InputError(
    "each frame belongs to a later vsync than the one before and is shown later; are lines missing?"
  )
}

/// A column with numbers that have at most this many decimals.
private struct NumberColumn: Sendable {
  private let name: String
  private let decimals: Int
  /// Nil if the file does not have it.
  private let place: Int?

  init(_ name: String, decimals: Int, in places: ColumnPlaces) {
    (self.name, self.decimals) = (name, decimals)
    place = places.place(name)
  }

  var exists: Bool { place != nil }

  /// Whether the file or the line does not have it.
  func isEmpty(_ fields: CSVFields) -> Bool { place.map { fields.range($0).isEmpty } ?? true }

  /// The number in units of the last decimal.
  func value(
    _ fields: CSVFields, _ line: Span<UInt8>, in allowed: ClosedRange<Int64>
  ) throws(InputError) -> Int64 {
    if let place,
      let number = Decimal.units(line.extracting(fields.range(place)), places: decimals),
      allowed.contains(number)
    {
      return number
    }
    let text = place.map { fields.plain($0, of: line) } ?? ""
    guard let number = Decimal.units(text, places: decimals), allowed.contains(number) else {
      throw InputError(
        "\(InputError.quoted(text)) in column \(name) is not a number that fits")
    }
    return number
  }
}
