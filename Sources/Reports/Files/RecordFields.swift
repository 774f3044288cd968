internal import FrameBudget
internal import Parsing

/// A line of one of this program's files, its fields by the names of their columns.
struct RecordFields {
  private let places: ColumnPlaces
  private let fields: [String]

  /// Hands each line of a file to `body`; fails where it lacks one of the columns `needed`, or has more lines than `most`.
  static func forEach(
    _ source: consuming ByteSource, of file: String, needed: [String], most: Int,
    _ body: (RecordFields) throws(InputError) -> Void
  ) throws(InputError) {
    var records = CSVRecords(source)
    var places: ColumnPlaces?
    var count = 0
    try records.forEach { (fields) throws(InputError) in
      guard let places else {
        return places = try ColumnPlaces(fields, needed: ["schema"] + needed, of: file)
      }
      try places.require(fields)
      count += 1
      guard count <= most else { throw InputError("more than \(most) rows") }
      let line = RecordFields(places: places, fields: fields)
      guard ReportRow.schema(line.text("schema")) != nil else {
        throw InputError("schema \(InputError.quoted(line.text("schema"))) is not known")
      }
      try body(line)
    }
  }

  /// Empty where there is no such column.
  func text(_ name: String) -> String { places.text(fields, name) }

  /// Nil where the field is empty, or there is no such column.
  func number(_ name: String) throws(InputError) -> Double? {
    let text = text(name)
    if text.isEmpty { return nil }
    guard let number = OutsideNumber.real(text) else {
      throw InputError("\(InputError.quoted(text)) in column \(name) is not a number")
    }
    return number
  }

  /// The same where there must be one.
  func required(_ name: String) throws(InputError) -> Double {
    guard let number = try number(name) else { throw InputError("column \(name) is empty") }
    return number
  }

  /// The same of what is counted.
  func count(_ name: String) throws(InputError) -> Int? {
    guard let number = try number(name) else { return nil }
    guard number >= 0, let count = Int(exactly: number) else {
      throw InputError("\(InputError.quoted(text(name))) in column \(name) is not a whole number")
    }
    return count
  }
}
