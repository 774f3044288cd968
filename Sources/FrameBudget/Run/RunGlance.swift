/// What can be seen of a run under way, by whoever watches it.
///
/// Frames and responses are those since the last glance; everything else is counted since time 0.
public struct RunGlance: Sendable {
  /// The run's clock; nil while it is warming up.
  public var now: Instant?
  /// The frame under way, as if it ended now.
  public var openFrame: FrameRecord?
  public var frames: [FrameRecord] = []
  public var responses: [Response] = []
  public var itemsDelivered = 0
  public var itemsDone = 0
  public var mainCPU: TimeSpan?
  /// All other threads of the app under test.
  public var backgroundCPU: TimeSpan?
  /// By lane of the arrangement; the first one, main, stays empty: frames tell what it did.
  public var lanes: [LaneUse] = []
  /// How long those responses have been open that are open for longer than they may be, also of what nobody has
  /// delivered yet.
  public var responsesOverdue: [TimeSpan] = []
  /// Who waits for one another's locks.
  public var deadlocks: [Deadlock] = []
  public var isOver = false

  public init() {}
}

/// What the threads of a lane have done since time 0.
public struct LaneUse: Hashable, Sendable {
  public var busy = TimeSpan.zero
  /// Waiting for locks.
  public var waiting = TimeSpan.zero

  public init(busy: TimeSpan = .zero, waiting: TimeSpan = .zero) {
    self.busy = busy
    self.waiting = waiting
  }

  public static func - (later: Self, earlier: Self) -> Self {
    Self(busy: later.busy - earlier.busy, waiting: later.waiting - earlier.waiting)
  }
}

/// How long somebody waited for the frame that shows an item's result.
public struct Response: Hashable, Sendable {
  public let workload: WorkloadIndex
  public let arrival: Instant
  public let span: TimeSpan

  public init(workload: WorkloadIndex, arrival: Instant, span: TimeSpan) {
    self.workload = workload
    self.arrival = arrival
    self.span = span
  }
}
