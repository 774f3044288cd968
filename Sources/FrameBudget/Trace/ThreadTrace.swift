/// What one thread did, span by span, in the order in which the spans ended.
///
/// Room for them is made, and touched, beforehand: recording a span neither allocates nor takes a lock. What
/// comes once the room is used up is counted, so that nobody takes the beginning of a run for all of it.
public struct ThreadTrace: Sendable {
  /// What was recorded, in the order in which it ended.
  public private(set) var spans: ContiguousArray<TraceSpan> = []
  /// How many spans found no room.
  public private(set) var lost = 0
  private let room: Int

  /// Records nothing, and counts nothing as lost.
  public static let off = ThreadTrace(room: 0)

  /// - Parameter room: how many spans can be recorded; 0 records nothing.
  public init(room: Int) {
    self.room = room
    let blank = TraceSpan(.phase(.post), from: .zero, to: .zero)
    spans = ContiguousArray(repeating: blank, count: room)
    spans.removeAll(keepingCapacity: true)
  }

  /// Whether anything is recorded.
  public var isOn: Bool { room > 0 }

  /// Forgets what was recorded, and keeps the room.
  public mutating func clear() {
    spans.removeAll(keepingCapacity: true)
    lost = 0
  }

  /// The same with its counts alone.
  var withoutSpans: ThreadTrace {
    var rest = ThreadTrace.off
    rest.lost = lost
    return rest
  }

  /// Notes that `count` spans or more were not recorded.
  public mutating func miss(_ count: Int) { lost += count }

  /// Records a span; counts it as lost where there is no room.
  public mutating func append(
    _ activity: TraceActivity, from begin: Instant, to end: Instant
  ) {
    guard spans.count < room else { return lost += isOn ? 1 : 0 }
    spans.append(TraceSpan(activity, from: begin, to: end))
  }
}
