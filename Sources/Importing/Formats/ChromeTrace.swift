import FrameBudget
import Parsing

/// Chrome trace JSON: the compositor's `BeginFrame`, `DrawFrame` and `DroppedFrame`, a stream per layer tree.
///
/// A frame that was drawn took from its `BeginFrame` to its `DrawFrame`. One dropped by the compositor
/// with a partial update still changed the screen. The project's own traces have the same three events.
struct ChromeTrace {
  private let refresh: RefreshRate?
  private(set) var hasEvents = false
  private var events: [Event] = []
  private var processes: [Int: String] = [:]

  private struct Event {
    var kind = Kind.begin
    var instant: Int64 = 0
    var stream = Stream(process: 0, tree: 0)
    var frame: Int?
    var isPartial = false

    enum Kind: String { case begin = "BeginFrame", draw = "DrawFrame", drop = "DroppedFrame" }
  }

  private struct Stream: Hashable {
    var process: Int
    var tree: Int
  }

  init(refresh: RefreshRate?) { self.refresh = refresh }

  mutating func readEvents(_ reader: inout JSONReader) throws(InputError) {
    hasEvents = true
    var read = self
    try reader.array { (reader) throws(InputError) in try read.readEvent(&reader) }
    self = read
  }

  private mutating func readEvent(_ reader: inout JSONReader) throws(InputError) {
    var event = Event()
    var name = ""
    var processName: String?
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "name" where try reader.kind() == .string: name = try reader.string()
      case "ts": event.instant = try reader.fixedPoint(places: 3).value ?? 0
      case "pid" where try reader.kind() == .number:
        event.stream.process = try Self.integer(&reader)
      case "args" where try reader.kind() == .object:
        processName = try Self.readArguments(&reader, into: &event) ?? processName
      default: try reader.skip()
      }
    }
    if name == "process_name", let processName { processes[event.stream.process] = processName }
    guard let kind = Event.Kind(rawValue: name) else { return }
    event.kind = kind
    events.append(event)
  }

  private static func integer(_ reader: inout JSONReader) throws(InputError) -> Int {
    Int(try reader.fixedPoint(places: 0).value ?? 0)
  }

  /// Reads what frame events say of themselves; returns a process's name if that is what was said.
  private static func readArguments(
    _ reader: inout JSONReader, into event: inout Event
  ) throws(InputError) -> String? {
    var name: String?
    var read = event
    try reader.object { (reader, key) throws(InputError) in
      switch (key, try reader.kind()) {
      case ("name", .string): name = try reader.string()
      case ("layerTreeId", .number): read.stream.tree = try integer(&reader)
      case ("frameSeqId", .number): read.frame = try integer(&reader)
      case ("hasPartialUpdate", .boolean): read.isPartial = try reader.boolean()
      default: try reader.skip()
      }
    }
    event = read
    return name
  }

  consuming func finish() throws(InputError) -> [ImportedFrames] {
    events.sort { $0.instant < $1.instant }
    var table = StreamTable()
    var streams: [LayerTree] = []
    var places: [Stream: Int] = [:]
    for event in events {
      if places[event.stream] == nil {
        let process = processes[event.stream.process] ?? "process \(event.stream.process)"
        let key = StreamKey(process: process, swapChain: "layers \(event.stream.tree)")
        places[event.stream] = try table.append(key, refresh: refresh)
        streams.append(LayerTree())
      }
      if let place = places[event.stream] {
        streams[place].count(event, in: &table.tallies[place])
      }
    }
    for place in streams.indices { table.tallies[place].missed(streams[place].late) }
    return table.imported(showsDisplay: true)
  }

  /// What is known of a layer tree between two of its events.
  private struct LayerTree {
    private var begins: [Int: Int64] = [:]
    private var previous: Int64?
    private(set) var late = 0

    mutating func count(_ event: Event, in tally: inout FrameTally) {
      switch event.kind {
      case .begin: if let frame = event.frame { begins[frame] = event.instant }
      case .drop where !event.isPartial: late += 1
      case .draw, .drop:
        tally.doubts.row()
        if let frame = event.frame, let begin = begins.removeValue(forKey: frame) {
          tally.frame(Self.span(from: begin, to: event.instant))
        }
        let interval = previous.map { Self.span(from: $0, to: event.instant) }
        tally.shown(late: late, interval: interval)
        late = 0
        previous = event.instant
      }
    }

    private static func span(from begin: Int64, to end: Int64) -> Int64 {
      let (span, overflow) = end.subtractingReportingOverflow(begin)
      return overflow ? Doubts.longestFrame : min(span, Doubts.longestFrame)
    }
  }
}
