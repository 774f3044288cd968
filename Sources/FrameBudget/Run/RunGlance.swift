/// A view of a run under way.
///
/// Frames and responses are those since the last glance; everything else is counted since time 0.
///
/// One thing although it holds more than ten: what is seen at one moment.
public struct RunGlance: Sendable {
  /// The run's clock; nil while it is warming up.
  public var now: Instant?
  /// The frame under way, as if it ended now.
  public var openFrame: FrameRecord?
  /// How many frames have begun and are not ready, the one under way included.
  public var framesUnready = 0
  /// Frames that were ready since the last glance.
  public var frames: [FrameRecord] = []
  /// Responses that came since the last glance.
  public var responses: [Response] = []
  /// Items that have arrived and were delivered to the app.
  public var itemsDelivered = 0
  /// Items of which every step has run.
  public var itemsDone = 0
  /// Copying state for snapshots, on whichever thread.
  public var publishing = TimeSpan.zero
  /// Processor time of the main thread; nil where it is not known.
  public var mainCPU: TimeSpan?
  /// All other threads of the app under test.
  public var backgroundCPU: TimeSpan?
  /// The first one, main, stays empty: frames tell what it did.
  public var lanes: PerLane<LaneUse> = []
  /// How long those responses have been open that are open for longer than they may be, also of what nobody has
  /// delivered yet.
  public var responsesOverdue: [TimeSpan] = []
  /// Who waits for one another's locks.
  public var deadlocks: [Deadlock] = []
  /// Whether the run has ended.
  public var isOver = false

  /// Nothing seen yet.
  public init() {}
}

/// What the threads of a lane have done since time 0.
public struct LaneUse: Hashable, Sendable {
  /// Working on items, all its threads together.
  public var busy = TimeSpan.zero
  /// Waiting for locks.
  public var waiting = TimeSpan.zero

  /// - Parameters:
  ///   - busy: working on items.
  ///   - waiting: waiting for locks.
  public init(busy: TimeSpan = .zero, waiting: TimeSpan = .zero) {
    self.busy = busy
    self.waiting = waiting
  }

  /// What was done between two glances.
  public static func - (later: Self, earlier: Self) -> Self {
    Self(busy: later.busy - earlier.busy, waiting: later.waiting - earlier.waiting)
  }
}

/// The wait for the frame that shows an item's result.
public struct Response: Hashable, Sendable {
  /// Whose item it was.
  public let workload: WorkloadIndex
  /// When the item arrived.
  public let arrival: Instant
  /// From the arrival to the vsync that showed the result.
  public let span: TimeSpan

  /// - Parameters:
  ///   - workload: whose item it was.
  ///   - arrival: when it arrived.
  ///   - span: from then to the vsync that showed the result.
  public init(workload: WorkloadIndex, arrival: Instant, span: TimeSpan) {
    self.workload = workload
    self.arrival = arrival
    self.span = span
  }
}
