import FrameBudget

/// All faults of a scenario, at least one, in the order of the file.
public struct ScenarioError: Error, Hashable, Sendable {
  /// The first ones, if there are very many.
  public let faults: [Fault]
  /// The number of other faults.
  public let omitted: Int

  /// The problem, its location, and the allowed values.
  public struct Fault: Hashable, Sendable {
    public let location: Location
    /// `problem; allowed values`, in one line.
    public let message: String

    init(_ message: String, at location: Location) {
      self.location = location
      self.message = message
    }
  }

  public enum Location: Hashable, Sendable {
    /// Lines and columns count from 1; `text` is the line.
    case file(String, line: Int, column: Int, text: String)
    /// A flag as given: `--set display.refresh=60 kHz`.
    case flag(String)
  }

  init(_ faults: [Fault], omitted: Int = 0) {
    precondition(!faults.isEmpty, "an error says what is wrong")
    self.faults = faults
    self.omitted = omitted
  }

  init(_ message: String, at location: Location) { self.init([Fault(message, at: location)]) }
}

extension ScenarioError: CustomStringConvertible {
  /// The faults, one below the other.
  public var description: String {
    let more = omitted > 0 ? ["and \(omitted) more"] : []
    return (faults.map(\.description) + more).joined(separator: "\n")
  }
}

extension ScenarioError.Fault: CustomStringConvertible {
  /// `FILE:LINE:COLUMN: problem; allowed values`, the line, and a caret below the column.
  public var description: String {
    switch location {
    case .flag(let flag):
      "\(flag.printable.shortened(to: Limits.shownLine)): \(message.printable)"
    case .file(let file, let line, let column, let text):
      "\(file.printable):\(line):\(column): \(message.printable)\n"
        + Excerpt(of: text, column: column, width: Limits.shownLine).description
    }
  }
}

extension String {
  /// The text without characters that would move a terminal's cursor or change its colours.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "\u{FFFD}" : $0 }))
  }

  /// The text in a message: short, in one line.
  var quoted: String { "'\(shortened(to: Limits.shownValue))'" }

  func shortened(to length: Int) -> String {
    count > length ? prefix(length) + "…" : self
  }
}

extension Unicode.Scalar {
  var isControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    // Direction overrides could disguise a line.
    case .format: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    default: false
    }
  }
}

/// Limits for the size of a scenario. Larger ones are refused at once, before they cost memory or time.
public enum Limits {
  /// The limit for bytes of a file. Readers need to read at most one more.
  public static let fileBytes = 1 << 20
  /// The deepest nesting of lists and mappings; the schema needs 8.
  static let depth = 32
  /// The longest part of a line, and of a quoted value, in an error.
  static let shownLine = 160
  static let shownValue = 60
  /// How many faults of a file an error shows.
  static let shownFaults = 20

  static let nameLength = 64
  /// Characters of a regular expression. The standard library parses nested expressions recursively, and 70 000 dashes in a
  /// character class crashed the process.
  static let patternLength = 200
  static let services = 256
  static let workloads = 256
  static let steps = 64
  static let reads = 256
  static let frameParts = 256
  static let resources = 256
  /// Waits that a resource serves at a time.
  static let parallelWaits = 1_000_000
  static let lanes = 64
  static let locks = 256
  static let strategies = 64
  /// Changes of the account, and of a lane's nice value.
  static let changes = 256

  /// Items of all workloads until the run ends.
  static let items = 1_000_000
  /// Frames from time 0 to the end: a day at 20 Hz, 8 hours at 60 Hz.
  static let frames = 1_728_000
  /// Records of all services together.
  static let records = 1_000_000
  static let warmup = TimeSpan.seconds(600)
  public static let cores = 256
  /// The speed of a core, in thousandths of a full one.
  static let speed: ClosedRange<Int64> = 1...100_000
}
