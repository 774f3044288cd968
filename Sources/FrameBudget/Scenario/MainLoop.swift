/// What wants a new frame.
public enum FrameDemand: Hashable, Sendable {
  /// Every vsync.
  case always
  /// A result that reaches the main thread, a changed snapshot that the UI reads, an item of a workload that draws, and
  /// these instants; in the order of time.
  case onDemand(at: [TimeSpan])

  /// Whether there are vsyncs that want none.
  public var isOnDemand: Bool { self != .always }
}

/// What the main loop runs, and when.
public enum MainLoop: Hashable, Sendable {
  /// Frame after frame: all that arrived is done within the next one.
  case frame
  /// One event after the other, frames among them, each as soon as the thread is free.
  case events(Events)

  /// The rules of a loop of events; nil for one of frames.
  public var events: Events? {
    if case .events(let loop) = self { loop } else { nil }
  }
}

extension MainLoop {
  /// The rules by which a main loop of events serves its two sources, frames and the queue of all else, and begins frames.
  public struct Events: Hashable, Sendable, CustomStringConvertible {
    /// Which source is served when both are ready.
    public var order: Order
    /// How much of the queue runs before the loop checks for a frame again.
    public var batch: Batch
    /// Which vsync a frame that had to wait belongs to.
    public var frameTime: FrameTime

    /// - Parameters:
    ///   - order: which source is served when both are ready.
    ///   - batch: how much of the queue runs before the loop checks for a frame again.
    ///   - frameTime: which vsync a frame that had to wait belongs to.
    public init(
      order: Order = .first, batch: Batch = .one, frameTime: FrameTime = .newest
    ) {
      self.order = order
      self.batch = batch
      self.frameTime = frameTime
    }

    /// As CFRunLoop and libdispatch serve the main queue on Apple's systems, and Foundation's run loop elsewhere: all that was
    /// queued is run by one callback, and that at most every other time round the loop.
    public static let foundation = Events(order: .alternate, batch: .queued)

    /// Order and batch as files spell them.
    public var description: String {
      switch (order, batch) {
      case (.first, .one): "events"
      case (_, .one): "{events: \(order.rawValue)}"
      case (_, .queued): "{events: \(order.rawValue), batch: \(batch.rawValue)}"
      }
    }

    /// Which source is served when both a frame and the queue are ready.
    public enum Order: String, CaseIterable, Codable, Sendable {
      /// The frame.
      case first
      /// The one that has waited longer; the frame if both have waited equally long.
      case fifo
      /// The one that was not served last; the frame if the loop was idle in between.
      case alternate
    }

    /// How much of the queue runs before the loop checks for a frame again.
    public enum Batch: String, CaseIterable, Codable, Sendable {
      /// One event.
      case one
      /// All that waited when the turn began: what is posted meanwhile belongs to the next turn.
      case queued
    }

    /// Which vsync a frame that had to wait belongs to.
    public enum FrameTime: String, CaseIterable, Sendable {
      /// The newest one when it begins, as Android's Choreographer has it.
      case newest
      /// The one that posted its event, as Chrome has it: a late frame is followed by one that catches up.
      case posted
    }
  }
}

/// Where a task on the main thread ends before its item does, so that others get a turn.
public struct Yielding: Hashable, Sendable {
  /// After how much of a task.
  public var grain: Grain
  /// What comes before the rest of it.
  public var resumes: Resumption

  /// - Parameters:
  ///   - grain: after how much of a task.
  ///   - resumes: what comes before the rest of it.
  public init(_ grain: Grain = .step, resumes: Resumption = .inTurn) {
    self.grain = grain
    self.resumes = resumes
  }

  /// Whether yielding has an effect, which needs a loop of events: a frame of a loop of frames runs all parts of a task anyway.
  public static func isPossible(on display: Display) -> Bool { display.mainLoop.events != nil }

  /// What is missing where it is not possible, in words that fit behind what wants to yield.
  static let need = "needs 'main-loop: events' in the display"

  /// Whether it lets frames and others go first.
  public var givesWay: Bool { resumes == .inTurn }

  /// Whether a task of that duration ends after the current step.
  public func ends(after span: TimeSpan) -> Bool {
    switch grain {
    case .step: true
    case .after(let least): span >= least
    }
  }

  /// After how much of a task.
  public enum Grain: Hashable, Sendable, CustomStringConvertible {
    /// One step.
    case step
    /// The first step that ends at least that long after the task began.
    case after(TimeSpan)

    /// As files and flags say it.
    public var description: String {
      switch self {
      case .step: "step"
      case .after(let span): "\(span)"
      }
    }
  }

  /// What comes before the rest of a task.
  public enum Resumption: String, CaseIterable, Sendable {
    /// All that waits, and a frame: the rest is posted anew, as by a message channel, a timeout, a Handler.
    case inTurn = "in-turn"
    /// Nothing: the rest continues before anything else, frames included, as after `scheduler.yield`.
    case first
  }
}
