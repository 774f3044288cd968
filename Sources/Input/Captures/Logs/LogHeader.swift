import FrameBudgetParsing

/// The column names of a table, matched without regard to case, because tools have changed theirs.
struct LogHeader {
  let names: [String]
  /// The processor and graphics card that lines before it name; empty if none did.
  let machine: String

  init(_ names: [String], machine: String = "") {
    self.machine = machine
    self.names = names.map { name in
      var trimmed = name[...]
      // Dumps are indented where they are part of a larger one.
      while let first = trimmed.first, " \t".contains(first) { trimmed.removeFirst() }
      while let last = trimmed.last, " \t".contains(last) { trimmed.removeLast() }
      return trimmed.lowercased()
    }
  }

  /// The index of the first of `wanted` that exists.
  func column(_ wanted: String...) -> Int? {
    for name in wanted {
      if let index = names.firstIndex(of: name) { return index }
    }
    return nil
  }

  /// The processor and graphics card in a line with these columns; nil if it has none.
  func machine(in texts: [String]) -> String? {
    guard texts.count == names.count else { return nil }
    let facts = [column("cpu"), column("gpu")].compactMap(\.self).map { texts[$0] }
    return facts.isEmpty ? nil : facts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The column of a time with one of these names; `places` are the decimals from its unit to nanoseconds.
  func time(_ wanted: (name: String, places: Int)...) -> TimeColumn? {
    for (name, places) in wanted {
      if let column = column(name) { return TimeColumn(index: column, places: places) }
    }
    return nil
  }
}

/// A column of times and its unit: 10 to the power `places` nanoseconds.
struct TimeColumn {
  let index: Int
  let places: Int
}

extension CSVFields {
  /// The time in `column` in nanoseconds.
  func time(_ column: TimeColumn, of line: Span<UInt8>) throws(InputError) -> FixedPoint {
    let point = FixedPoint.parse(line, range(column.index), places: column.places)
    guard point == .malformed else { return point }
    throw InputError("\(InputError.quoted(text(column.index, of: line))) is not a number")
  }

  /// The instant in `column` in nanoseconds, from a number or a date and time; nil if the cell is empty.
  func instant(_ column: TimeColumn, of line: Span<UInt8>) throws(InputError) -> Int64? {
    let point = FixedPoint.parse(line, range(column.index), places: column.places)
    if point == .missing { return nil }
    if let instant = point.value ?? DateTime.nanoseconds(line.extracting(range(column.index))),
      InputTime.instants.contains(instant)
    {
      return instant
    }
    let wrong = point == .malformed ? "is neither a number nor a date and time" : "is out of range"
    throw InputError("\(InputError.quoted(text(column.index, of: line))) \(wrong)")
  }

  /// Throws unless the line has as many fields as the header.
  func require(_ expected: Int) throws(InputError) {
    guard count < expected else { return }
    throw InputError(
      "the row has \(count) fields where the header has \(expected); is the log cut off?")
  }
}

extension FrameTally {
  /// The span in `point`, if a frame can take it; otherwise records an issue.
  mutating func span(
    _ point: FixedPoint, _ column: TimeColumn, _ fields: CSVFields, _ line: Span<UInt8>,
    number: Int
  ) -> Int64? {
    switch point {
    case .value(let value) where InputTime.frames.contains(value): return value
    case .missing: return nil
    case .value, .outOfRange, .malformed:
      issues.noteImpossible(InputError.quoted(fields.text(column.index, of: line)), line: number)
      return nil
    }
  }

  /// Counts a frame whose image stayed for `time`, from `column`. A missing or impossible time is noted.
  mutating func frame(
    lasting time: FixedPoint, _ column: TimeColumn, _ fields: CSVFields, _ line: Span<UInt8>,
    number: Int
  ) {
    guard let span = span(time, column, fields, line, number: number), span > 0 else {
      if time == .missing { issues.missed() }
      return
    }
    frame(span)
    shown(after: span)
  }

  /// Records the time of the row; throws if rows are not in the order of time.
  mutating func note(instant: Int64?) throws(InputError) {
    guard let instant, !issues.at(instant) else { return }
    throw InputError("the row is more than 1 s older than one above it; rows must be in order")
  }
}
