internal import FrameBudget
internal import FrameBudgetParsing

/// The names in the first record of a table, by which its kind is recognised: in any order, quoted or not, as its reader takes
/// them.
public struct FileHeader: Sendable {
  private let names: Set<String>

  /// The names of a file that begins with `opening`; none if it is no table.
  public init(_ opening: [UInt8]) {
    var names: Set<String>?
    var records = CSVRecords(ByteSource(opening, name: ""))
    // What follows the first record may be cut off.
    try? records.forEachRecord { (fields, line) throws(InputError) in
      guard names == nil else { return }
      names = Set(fields.plain(of: line))
    }
    self.names = names ?? []
  }

  init(_ opening: String) { self.init(Array(opening.utf8)) }

  func has(_ columns: [String]) -> Bool { names.isSuperset(of: columns) }

  /// Whether it is that of a per-frame file.
  public var isOfFrames: Bool { has([FrameColumn.beginVsync.name]) }
}
