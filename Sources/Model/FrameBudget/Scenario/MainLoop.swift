/// The events that want a new frame.
public enum FrameDemand: Hashable, Sendable {
  /// Every vsync.
  case always
  /// A result that reaches the main thread, a changed snapshot that the UI reads, an item of a workload that draws, and these
  /// instants, in the order of time.
  case onDemand(at: [TimeSpan])

  /// Whether some vsyncs want no frame.
  public var isOnDemand: Bool { self != .always }
}

/// The kind of the main loop.
public enum MainLoop: Hashable, Sendable {
  /// Frame after frame: each handles everything that has arrived.
  case frame
  /// One event after the other, including frames, each as soon as the thread is free.
  case events(Events)

  /// The rules of a loop of events; nil for a loop of frames.
  public var events: Events? {
    if case .events(let loop) = self { loop } else { nil }
  }
}

extension MainLoop {
  /// The rules by which a main loop of events serves its two sources, frames and the queue of other events, and begins frames.
  public struct Events: Hashable, Sendable, CustomStringConvertible {
    /// The source that is served when both are ready.
    public var order: Order
    /// The part of the queue that runs before the loop checks for a frame again.
    public var batch: Batch
    /// The vsync of a frame that had to wait.
    public var frameTime: FrameTime
    /// How long the queue waits behind the task of an input for a frame that was not due before, at most, as in Chromium; nil if it
    /// does not wait. Only other inputs run meanwhile.
    public var deferral: TimeSpan?

    /// - Parameters:
    ///   - order: the source that is served when both are ready.
    ///   - batch: the part of the queue that runs before the loop checks for a frame again.
    ///   - frameTime: the vsync of a frame that had to wait.
    ///   - deferral: how long the queue waits behind the task of an input for a frame that was not due before, at most.
    public init(
      order: Order = .first, batch: Batch = .one, frameTime: FrameTime = .newest,
      deferral: TimeSpan? = nil
    ) {
      self.order = order
      self.batch = batch
      self.frameTime = frameTime
      self.deferral = deferral
    }

    /// The rules of CFRunLoop and libdispatch for the main queue on Apple's systems, and of Foundation's run loop elsewhere:
    /// one callback runs everything that was queued, and at most in every other iteration of the loop.
    public static let foundation = Events(order: .alternate, batch: .queued)

    /// Order, batch and deferral in the syntax of files.
    public var description: String {
      if self == Events(frameTime: frameTime) { return "events" }
      let turn = batch == .one ? "" : ", batch: \(batch.rawValue)"
      let waiting = deferral.map { ", defer-after-input: \($0)" } ?? ""
      return "{events: \(order.rawValue)\(turn)\(waiting)}"
    }

    /// The source that is served when both a frame and the queue are ready.
    public enum Order: String, CaseIterable, Codable, Sendable {
      /// The frame.
      case first
      /// The one that has waited longer; the frame if both have waited equally long.
      case fifo
      /// The one that was not served last; the frame if the loop was idle in between.
      case alternate
    }

    /// The part of the queue that runs before the loop checks for a frame again.
    public enum Batch: String, CaseIterable, Codable, Sendable {
      /// One event.
      case one
      /// All that waited when the turn began; later events belong to the next turn.
      case queued
    }

    /// The vsync of a frame that had to wait.
    public enum FrameTime: String, CaseIterable, Sendable {
      /// The newest one when it begins, as in Android's Choreographer.
      case newest
      /// The one that posted its event, as in Chrome: a late frame is followed by one that catches up.
      case posted
    }
  }
}

/// When a task on the main thread ends before its item does, so that other work can run.
public struct Yielding: Hashable, Sendable {
  /// The amount of work after which a task yields.
  public var grain: Grain
  /// The work that runs before the rest of the task.
  public var resumes: Resumption

  /// - Parameters:
  ///   - grain: the amount of work after which a task yields.
  ///   - resumes: the work that runs before the rest of the task.
  public init(_ grain: Grain = .step, resumes: Resumption = .inTurn) {
    self.grain = grain
    self.resumes = resumes
  }

  /// Whether yielding has an effect, which needs a loop of events: a frame of a loop of frames runs all parts of a task anyway.
  public static func isPossible(on display: Display) -> Bool { display.mainLoop.events != nil }

  /// The missing requirement if yielding is not possible, in words that fit after the name of the option.
  static let need = "needs 'main-loop: events' in the display"

  /// Whether frames and other work run before the rest of the task.
  public var yieldsToOthers: Bool { resumes == .inTurn }

  /// Whether a task of that duration ends after the current step.
  public func ends(after span: TimeSpan) -> Bool {
    switch grain {
    case .step: true
    case .after(let least): span >= least
    }
  }

  /// The amount of work after which a task yields.
  public enum Grain: Hashable, Sendable, CustomStringConvertible {
    /// One step.
    case step
    /// The first step that ends at least that long after the task began.
    case after(TimeSpan)

    /// In the syntax of files and flags.
    public var description: String {
      switch self {
      case .step: "step"
      case .after(let span): "\(span)"
      }
    }
  }

  /// The work that runs before the rest of a task.
  public enum Resumption: String, CaseIterable, Sendable {
    /// All that waits, and a frame: the rest is posted again, as by a message channel, a timeout or a Handler.
    case inTurn = "in-turn"
    /// Nothing: the rest runs before anything else, including frames, as after `scheduler.yield`.
    case first
  }
}
