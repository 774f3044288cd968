/// A snapshot of a run under way.
///
/// Frames and responses are those since the last observation; everything else is counted since time 0.
public struct RunObservation: Sendable {
  /// The run's clock; nil while it is warming up.
  public var now: Instant?
  /// The frame under way, as if it ended now.
  public var openFrame: FrameRecord?
  /// The number of frames that have begun and are not ready, including the current one.
  public var framesUnready = 0
  /// Frames that became ready since the last observation.
  public var frames: [FrameRecord] = []
  /// Responses that came since the last observation.
  public var responses: [Response] = []
  /// The number of items that have arrived and were delivered to the app.
  public var itemsDelivered = 0
  /// The number of items whose steps have all run.
  public var itemsDone = 0
  /// The number of suspended items by `RunPlan.waits`; empty if there are none.
  public var suspended: [Int] = []
  /// The time spent copying state for snapshots, on all threads.
  public var publishing = TimeSpan.zero
  /// Processor time of the main thread; nil if unknown.
  public var mainCPU: TimeSpan?
  /// Processor time of all other threads of the app under test; nil if unknown.
  public var backgroundCPU: TimeSpan?
  /// By lane. The entry of main stays empty: the frames have its times.
  public var lanes: PerLane<LaneUse> = []
  /// The age of each response that is overdue, including responses to items that were not delivered yet.
  public var responsesOverdue: [TimeSpan] = []
  /// Threads that wait for one another's locks.
  public var deadlocks: [Deadlock] = []
  /// Whether the run has ended.
  public var isOver = false

  /// Creates an observation without any data.
  public init() {}
}

/// The time that the threads of a lane have spent since time 0.
public struct LaneUse: Hashable, Sendable {
  /// The time spent on items, of all its threads together.
  public var busy = TimeSpan.zero
  /// The time spent waiting for locks.
  public var waiting = TimeSpan.zero

  /// - Parameters:
  ///   - busy: the time spent on items.
  ///   - waiting: the time spent waiting for locks.
  public init(busy: TimeSpan = .zero, waiting: TimeSpan = .zero) {
    self.busy = busy
    self.waiting = waiting
  }

  /// The time spent between two observations.
  public static func - (later: Self, earlier: Self) -> Self {
    Self(busy: later.busy - earlier.busy, waiting: later.waiting - earlier.waiting)
  }
}

/// The wait for the frame that shows an item's result.
public struct Response: Hashable, Sendable {
  /// The workload of the item.
  public let workload: WorkloadIndex
  /// When the item arrived.
  public let arrival: Instant
  /// From the arrival to the vsync that showed the result.
  public let span: TimeSpan

  /// - Parameters:
  ///   - workload: the workload of the item.
  ///   - arrival: when the item arrived.
  ///   - span: from the arrival to the vsync that showed the result.
  public init(workload: WorkloadIndex, arrival: Instant, span: TimeSpan) {
    self.workload = workload
    self.arrival = arrival
    self.span = span
  }
}
