import FrameBudget
import Parsing

/// What is read of an event of a Chrome trace.
struct ChromeEvent {
  enum Kind {
    case begin, draw, drop, report
    /// A mark that only the project's own traces have.
    case vsync
  }

  /// A layer tree of a process.
  struct Stream: Hashable {
    var process: Int
    var tree: Int
  }

  /// What a reporter says became of a frame, the worst first.
  enum State: String {
    case dropped = "STATE_DROPPED"
    case all = "STATE_PRESENTED_ALL"
    case partial = "STATE_PRESENTED_PARTIAL"
    case notWanted = "STATE_NO_UPDATE_DESIRED"
  }

  private(set) var name = ""
  private(set) var processName: String?
  private(set) var instant: Int64 = 0
  private(set) var stream = Stream(process: 0, tree: 0)
  /// Which display, or other source, the frame's number counts vsyncs of.
  private(set) var source = 0
  private(set) var frame: Int?
  private(set) var state: State?
  /// The vsync that a drop of the project's own traces is of.
  private(set) var vsync: Int?
  private var phase = ""

  init(_ reader: inout JSONReader) throws(InputError) {
    var read = Self()
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "name" where try reader.kind() == .string: read.name = try reader.string()
      case "ph" where try reader.kind() == .string: read.phase = try reader.string()
      case "ts":
        switch try reader.fixedPoint(places: 3) {
        case .value(let instant): read.instant = instant
        case .missing: break
        case .outOfRange, .malformed: throw reader.failure("'ts' is out of range")
        }
      case "pid" where try reader.kind() == .number:
        read.stream.process = try Self.integer(&reader)
      case "args" where try reader.kind() == .object: try read.readArguments(&reader)
      default: try reader.skip()
      }
    }
    self = read
  }

  private init() {}

  var kind: Kind? {
    switch ScreenEvent(rawValue: name) {
    case .begin: .begin
    case .draw: .draw
    case .drop: .drop
    case .vsync: .vsync
    // It says so at its begin.
    case nil: name == "PipelineReporter" && phase == "b" && state != nil ? .report : nil
    }
  }

  /// Reads what frame events say of themselves, or a process of its name.
  private mutating func readArguments(_ reader: inout JSONReader) throws(InputError) {
    var read = self
    try reader.object { (reader, key) throws(InputError) in
      switch (key, try reader.kind()) {
      case ("name", .string): read.processName = try reader.string()
      case ("layerTreeId", .number): read.stream.tree = try Self.integer(&reader)
      case (ScreenEvent.Argument.frame.rawValue, .number): read.frame = try Self.integer(&reader)
      case (ScreenEvent.Argument.vsync.rawValue, .number): read.vsync = try Self.integer(&reader)
      case ("chrome_frame_reporter", .object): try read.readReport(&reader)
      default: try reader.skip()
      }
    }
    self = read
  }

  private mutating func readReport(_ reader: inout JSONReader) throws(InputError) {
    var read = self
    try reader.object { (reader, key) throws(InputError) in
      switch (key, try reader.kind()) {
      case ("state", .string): read.state = State(rawValue: try reader.string())
      case ("layer_tree_host_id", .number): read.stream.tree = try Self.integer(&reader)
      case ("frame_sequence", .number): read.frame = try Self.integer(&reader)
      case ("frame_source", .number): read.source = try Self.integer(&reader)
      default: try reader.skip()
      }
    }
    self = read
  }

  private static func integer(_ reader: inout JSONReader) throws(InputError) -> Int {
    guard let number = try reader.fixedPoint(places: 0).value else {
      throw reader.failure("a whole number that fits should stand here")
    }
    return Int(number)
  }
}
