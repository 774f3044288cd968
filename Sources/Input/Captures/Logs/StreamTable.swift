import FrameBudget
import FrameBudgetParsing

/// The source of frames: a process and, if the log distinguishes them, one of its swap chains.
struct StreamKey: Hashable, Sendable, CustomStringConvertible {
  let process: String
  let swapChain: String
  /// The process without its number, or the like: what other captures of the app have in common. Empty if the log is of runs of
  /// ours, whose keys say it.
  let app: String
  /// Whether it is one of several runs of the app, one after another.
  let isRun: Bool
  /// Empty if the log does not say it.
  let machine: String

  /// In UTF-8 bytes. A longer name is cut to this many Unicode scalars, or the line would be too long for the reader.
  private static let longest = 1000

  init(process: String, swapChain: String = "", app: String? = nil, machine: String = "") {
    self.process = Self.shortened(process)
    self.swapChain = Self.shortened(swapChain)
    self.app = Self.shortened(app ?? process)
    self.machine = Self.shortened(machine)
    isRun = false
  }

  /// A run of several, counted from 1.
  init(process: String, run: Int, machine: String = "") {
    self.process = Self.shortened(process)
    (swapChain, app, isRun) = ("run \(run)", self.process, true)
    self.machine = Self.shortened(machine)
  }

  private static func shortened(_ text: String) -> String {
    guard text.utf8.count > longest else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest))) + "…"
  }

  var description: String { swapChain.isEmpty ? process : "\(process) \(swapChain)" }
}

/// The tallies of a log, in the order of their first rows.
struct StreamTable {
  /// More than any desktop recording has; limits memory for invalid logs.
  static let maxStreams = 256
  /// More than any sweep whose frames are kept.
  static let maxRuns = 1 << 14

  private(set) var keys: [StreamKey] = []
  var tallies: [FrameTally] = []
  private var names: [[UInt8]] = []
  private var newest = 0
  private let limit: Int

  init(limit: Int = maxStreams) { self.limit = limit }

  /// The place of the stream with the key in the fields at `columns` of `line`.
  mutating func index(
    of columns: [Int], in fields: CSVFields, _ line: Span<UInt8>, refresh: RefreshRate?,
    clock: FrameTally.TimeSource, key: (CSVFields, Span<UInt8>) -> StreamKey
  ) throws(InputError) -> Int {
    if newest < names.count, matches(newest, columns, fields, line) { return newest }
    if let known = names.indices.first(where: { matches($0, columns, fields, line) }) {
      newest = known
      return known
    }
    newest = try append(key(fields, line), refresh: refresh, clock: clock)
    names.append(Self.name(columns, fields, line))
    return newest
  }

  /// Adds the tally of a new stream and returns its place.
  mutating func append(
    _ key: StreamKey, refresh: RefreshRate?, clock: FrameTally.TimeSource
  ) throws(InputError) -> Int {
    guard keys.count < limit else {
      throw InputError("more than \(limit) processes and swap chains")
    }
    keys.append(key)
    tallies.append(FrameTally(refresh: refresh, clock: clock))
    return keys.count - 1
  }

  func imported(
    showsDisplay: Bool, figures: (FrameTally) -> [RecordedFigure] = { _ in [] }
  ) -> [ImportedFrames] {
    zip(keys, tallies).map {
      ImportedFrames($0, $1, showsDisplay: showsDisplay, figures: figures($1))
    }
  }

  private func matches(
    _ index: Int, _ columns: [Int], _ fields: CSVFields, _ line: Span<UInt8>
  ) -> Bool {
    let name = names[index]
    var position = 0
    for column in columns {
      let range = fields.range(column)
      guard position + range.count + 1 <= name.count else { return false }
      for offset in range {
        if name[position] != line[offset] { return false }
        position += 1
      }
      if name[position] != 0 { return false }
      position += 1
    }
    return position == name.count
  }

  /// The key's fields, each terminated by a zero.
  private static func name(
    _ columns: [Int], _ fields: CSVFields, _ line: Span<UInt8>
  ) -> [UInt8] {
    columns.flatMap { column in fields.range(column).map { line[$0] } + [0] }
  }
}
