internal import FrameBudget
public import Parsing

/// The content of a `limit.csv`: the largest load of each arrangement.
public struct LimitResults: Sendable {
  public let rows: [Row]

  public struct Row: Sendable, Equatable {
    public let scenario: String
    public let strategy: String
    public let options: String
    public let changes: String
    public let engine: String
    public let cores: String
    /// The path of the load in the scenario, and the range of the search.
    public let path: String
    public let range: ClosedRange<Int>
    /// Nil if no load of the range is sustained.
    public let largest: Int?
    /// The first load that was not sustained, and the reason; nil and empty if all were sustained.
    public let endedAt: Int?
    public let endedBy: String
    public let why: String

    /// Strategy with its options, in the format of `--strategy`.
    public var label: String { Strategy.label(strategy, options) }
  }

  /// Whether a file that begins with `opening` has the columns of a `limit.csv`.
  public static func recognises(_ opening: String) -> Bool {
    opening.prefix { !$0.isNewline }.contains(",largest,ended_at,")
  }

  /// Reads the output of `LimitRow.table`, in any order of columns.
  public init(_ source: consuming ByteSource) throws(InputError) {
    var records = CSVRecords(source)
    var columns: [String]?
    var rows: [Row] = []
    try records.forEach { (fields) throws(InputError) in
      guard let columns else { return columns = fields }
      guard rows.count < ResultSet.maxRows else {
        throw InputError("more than \(ResultSet.maxRows) rows")
      }
      guard fields.count == columns.count else {
        throw InputError(
          "the row has \(fields.count) fields where the header has \(columns.count); is it cut off?"
        )
      }
      rows.append(try Row(Dictionary(zip(columns, fields)) { first, _ in first }))
    }
    guard !rows.isEmpty else { throw InputError("holds no limits", file: records.name) }
    self.rows = rows
  }
}

extension LimitResults.Row {
  fileprivate init(_ fields: [String: String]) throws(InputError) {
    func text(_ name: String) throws(InputError) -> String {
      guard let text = fields[name] else {
        throw InputError("is not a limit.csv: it has no column '\(name)'")
      }
      return text
    }
    func number(_ name: String) throws(InputError) -> Int? {
      let text = try text(name)
      let most = InputNumber.counts.upperBound
      guard let number = InputNumber.whole(text, in: -most...most) else {
        if text.isEmpty { return nil }
        throw InputError(
          "\(InputError.quoted(text)) in column \(name) is not a whole number from \(-most) to \(most)"
        )
      }
      return number
    }
    guard let first = try number("from"), let last = try number("to"), first <= last else {
      throw InputError("the range of loads ends before it begins")
    }
    guard ReportRow.schema(try text("schema")) != nil else {
      throw InputError("schema \(InputError.quoted(try text("schema"))) is not known")
    }
    self.init(
      scenario: try text("scenario"), strategy: try text("strategy"), options: try text("options"),
      changes: try text("changes"), engine: try text("engine"), cores: try text("cores"),
      path: try text("path"), range: first...last, largest: try number("largest"),
      endedAt: try number(LimitCSV.endedAt), endedBy: try text(LimitCSV.endedBy),
      why: try text("why"))
  }
}
