internal import FrameBudget
internal import Parsing

/// What events say of themselves.
enum ChromeArguments {
  private enum Key: Int, CaseIterable {
    case name, layerTreeId, frameSeqId, vsync, hasPartialUpdate, role, number
    case beginVsync, presentVsync, reporter, olderReporter, start, target
    case data, animationFrame

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
      case .animationFrame: "animation_frame_timing_info"
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

  private enum InputKey: String, CaseIterable {
    case interactionId, duration, timeStamp, processingStart, processingEnd
  }

  private static let inputKeys = JSONKeys(InputKey.allCases.map(\.rawValue))
  private static let animationKeys = JSONKeys(["blocking_duration_ms"])
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
      case (.data, .object): event.input = try readInput(&reader)
      case (.animationFrame, .object):
        try reader.members(animationKeys) { (reader, key) throws(InputError) in
          guard key != nil, try reader.kind() == .number else { return try reader.skip() }
          event.blocking = try reader.fixedPoint(places: 6).value(in: OutsideTime.spans)
        }
      default: try reader.skip()
      }
    }
  }

  /// Nil of what is no instant.
  private static func instant(_ text: String) -> Int64? {
    Int64(text).flatMap { OutsideTime.instants.contains($0) ? $0 : nil }
  }

  /// Nil of what is no entry of Event Timing, or has no times that an input can have.
  private static func readInput(_ reader: inout JSONReader) throws(InputError) -> InputTiming? {
    var values: [Int64?] = InputKey.allCases.map { _ in nil }
    try reader.members(inputKeys) { (reader, key) throws(InputError) in
      guard let key, try reader.kind() == .number else { return try reader.skip() }
      values[key] = try reader.fixedPoint(places: key == 0 ? 0 : 6).value(
        in: OutsideTime.instants)
    }
    guard let interaction = values[0], let duration = values[1], let input = values[2],
      let begin = values[3], let end = values[4], begin <= end,
      OutsideTime.spans.contains(duration), OutsideTime.spans.contains(begin - input),
      OutsideTime.spans.contains(end - input)
    else { return nil }
    return InputTiming(
      interaction: interaction, duration: duration, handlers: begin - input...end - input)
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
