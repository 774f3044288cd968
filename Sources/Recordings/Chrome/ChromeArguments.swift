internal import FrameBudget
internal import Parsing

/// What events say of themselves.
enum ChromeArguments {
  private enum Key: Int, CaseIterable {
    case name, layerTreeId, frameSeqId, vsync, hasPartialUpdate, role, number
    case beginVsync, presentVsync, reporter, olderReporter, start, target

    var text: String {
      switch self {
      case .frameSeqId: ScreenEvent.Argument.frame.rawValue
      case .vsync: ScreenEvent.Argument.vsync.rawValue
      case .beginVsync: FrameColumn.beginVsync.name
      case .presentVsync: FrameColumn.presentVsync.name
      case .reporter: "frame_reporter"
      case .olderReporter: "chrome_frame_reporter"
      case .start: "StartTime"
      case .target: "TargetTime"
      default: "\(self)"
      }
    }
  }

  private enum ReportKey: String, CaseIterable {
    case state
    case tree = "layer_tree_host_id"
    case frame = "frame_sequence"
    case source = "frame_source"
  }

  private static let keys = JSONKeys(Key.allCases.map(\.text))
  private static let reportKeys = JSONKeys(ReportKey.allCases.map(\.rawValue))

  static func read(
    _ reader: inout JSONReader, into event: inout ChromeEvent
  ) throws(InputError) {
    try reader.members(keys) { (reader, key) throws(InputError) in
      guard let key = key.flatMap(Key.init(rawValue:)) else { return try reader.skip() }
      switch (key, try reader.kind()) {
      case (.name, .string): event.text = try reader.string()
      case (.role, .string): event.role = try reader.string()
      case (.layerTreeId, .number): event.stream.tree = try reader.integer()
      case (.frameSeqId, .number): event.frame = try reader.integer()
      case (.vsync, .number): event.vsync = try reader.integer()
      case (.beginVsync, .number): event.beginVsync = try reader.integer()
      case (.presentVsync, .number): event.presentVsync = try reader.integer()
      case (.number, .number): event.count = try reader.fixedPoint(places: 0).value.map { Int($0) }
      case (.start, .string): event.start = Self.instant(try reader.string())
      case (.target, .string): event.target = Self.instant(try reader.string())
      case (.hasPartialUpdate, .boolean): event.isPartial = try reader.boolean()
      case (.reporter, .object), (.olderReporter, .object):
        try readReport(&reader, into: &event)
      default: try reader.skip()
      }
    }
  }

  /// Nil of what is no instant.
  private static func instant(_ text: String) -> Int64? {
    Int64(text).flatMap { OutsideTime.instants.contains($0) ? $0 : nil }
  }

  private static func readReport(
    _ reader: inout JSONReader, into event: inout ChromeEvent
  ) throws(InputError) {
    try reader.members(reportKeys) { (reader, key) throws(InputError) in
      guard let key = key.map({ ReportKey.allCases[$0] }) else { return try reader.skip() }
      switch (key, try reader.kind()) {
      case (.state, .string): event.state = ChromeEvent.State(rawValue: try reader.string())
      case (.tree, .number): event.stream.tree = try reader.integer()
      case (.frame, .number): event.frame = try reader.integer()
      case (.source, .number): event.source = try reader.integer()
      default: try reader.skip()
      }
    }
  }
}
