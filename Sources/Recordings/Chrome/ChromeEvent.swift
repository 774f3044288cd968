internal import FrameBudget

/// What is read of an event of a Chrome trace; `ChromeEvents` reads it.
package struct ChromeEvent {
  /// What a name means where it means something.
  package enum Kind: Sendable {
    case begin, draw, drop
    /// Becomes of a frame what `state` says.
    case report
    /// A mark that only the project's own traces have.
    case vsync
    /// The main thread begins its part of a frame, and hands it to the compositor.
    case mainBegin, commit
    case processName, threadName, cores
    /// Of Flutter: time for a frame, its begin, and that it is on its way to the raster thread.
    case flutterVsync, flutterBegin, flutterProduced
    /// What the loop is called that runs tasks, no task itself.
    case loop
    /// A task of a thread; an entry of Event Timing; a page's frame with what led to it.
    case task, eventTiming, animationFrame
    /// A page starts a timer; a timer fires.
    case timerStart, timerFiring
  }

  /// A layer tree of a process.
  package struct Stream: Hashable {
    package var process: Int
    package var tree: Int
  }

  /// What a reporter says became of a frame, the worst first.
  package enum State: String, CaseIterable {
    case dropped = "STATE_DROPPED"
    case all = "STATE_PRESENTED_ALL"
    case partial = "STATE_PRESENTED_PARTIAL"
    case notWanted = "STATE_NO_UPDATE_DESIRED"
  }

  /// What its reporters, of which there may be several, say became of a frame.
  package struct States: Hashable, Sendable {
    private var states: Set<State> = []

    package init() {}

    package mutating func insert(_ state: State) { states.insert(state) }

    /// A frame that any of them calls dropped is dropped, even where a later one shows it. Otherwise it was shown, whole
    /// or in part. What only wanted no update was not wanted.
    package var verdict: RecordedFrame.Verdict {
      if states.contains(.dropped) { return .dropped }
      if states.contains(.all) { return .shown }
      return states.contains(.partial) ? .partial : .notWanted
    }
  }

  /// What kinds of events the format has, by the letters that it gives them.
  package enum Phase: UInt8 {
    case complete = 0x58  // X
    case begin = 0x42  // B
    case end = 0x45  // E
    case asyncBegin = 0x62  // b
    case asyncEnd = 0x65  // e
    case flowBegin = 0x73  // s
    case flowStep = 0x74  // t
    case flowEnd = 0x66  // f
    case metadata = 0x4D  // M
  }

  /// Its number among the names of its `ChromeEvents`.
  package internal(set) var name = 0
  package internal(set) var kind: Kind?
  /// Nil for kinds of events that nobody needs to tell apart.
  package internal(set) var phase: Phase?
  /// In nanoseconds, as the file counts them.
  package internal(set) var instant: Int64 = 0
  package internal(set) var stream = Stream(process: 0, tree: 0)
  package internal(set) var thread = 0
  /// In nanoseconds: how long it took, and with how much of the processor.
  var length: Int64 = 0
  var cpuLength: Int64?
  /// How much of the processor its thread had used before it.
  var cpuInstant: Int64?
  /// What events of one chain, or the begin and the end of one, share.
  var identity: UInt64 = 0
  var category = ChromeCategory()
  /// A flow that begins or ends at a slice which says so itself.
  var bound: UInt64?
  var flowsOut = false
  var flowsIn = false
  /// Whether a flow ends at the slice around it, not at the next one.
  var bindsEnclosing = false

  // What it says of itself in its arguments.
  package internal(set) var text: String?
  /// Which display, or other source, the frame's number counts vsyncs of.
  package internal(set) var source = 0
  package internal(set) var frame: Int?
  package internal(set) var state: State?
  /// The vsync that a drop of the project's own traces is of.
  package internal(set) var vsync: Int?
  var isPartial = false
  /// Of the project's own traces: the vsyncs that a frame began at and was shown at, and what a track is for.
  var beginVsync: Int?
  var presentVsync: Int?
  var role: String?
  var count: Int?
  /// Of Flutter: when it was time for a frame, and when that was to be shown, in nanoseconds.
  var start: Int64?
  var target: Int64?

  /// Of an entry of Event Timing, whose instant is the input's.
  var input: InputTiming?
  var timer: TimerEvent?
  /// Of an animation frame: how long it blocked input, in nanoseconds.
  var blocking: Int64?

  /// Whether a page would report it through a `PerformanceObserver`.
  package var isOfPage: Bool {
    switch kind {
    case .eventTiming, .animationFrame: phase == .asyncBegin || phase == .asyncEnd
    case .task: phase == .complete
    case .threadName: true
    default: false
    }
  }

  /// Whether it is a slice in which nothing is done: the loop around tasks, or waiting for the next frame.
  var isNoWork: Bool { kind == .loop || category.contains(.ownWait) }

  /// Whether its thread begins a frame.
  var isFrameOfThread: Bool {
    switch kind {
    case .mainBegin: true
    case .flutterBegin: phase == .begin || phase == .complete
    default: false
    }
  }

  /// Whether a compositor says that a frame of its process was wanted.
  var isWantedFrame: Bool {
    kind == .report && phase == .asyncBegin && state != nil && state != .notWanted
  }

  /// Whether it says something about frames.
  package var isOfFrames: Bool {
    switch kind {
    case .begin, .draw, .drop, .vsync: true
    // It says so at its begin.
    case .report: phase == .asyncBegin && state != nil
    default: false
    }
  }
}

/// What Event Timing says of an input, in nanoseconds from it. A class, as few events have it and all are copied.
final class InputTiming: Sendable {
  /// What the events of one click, tap or key press share; 0 of others.
  let interaction: Int64
  /// To the next paint.
  let duration: Int64
  /// To the begin of the first handler, and to the end of the last one.
  let handlers: ClosedRange<Int64>

  init(interaction: Int64, duration: Int64, handlers: ClosedRange<Int64>) {
    (self.interaction, self.duration, self.handlers) = (interaction, duration, handlers)
  }

  /// The same on the clock on which the user acted at `instant`.
  func input(at instant: Int64) -> Interactions.Input {
    Interactions.Input(
      interaction: interaction, at: instant,
      handlers: instant + handlers.lowerBound...instant + handlers.upperBound,
      paint: instant + duration)
  }
}

/// What an event's category says of it.
struct ChromeCategory: OptionSet, Sendable {
  let rawValue: UInt8

  /// The page's own measure, `performance.measure`.
  static let userTiming = Self(rawValue: 1)
  /// Of the project's own traces: a frame, and waiting for one.
  static let ownFrame = Self(rawValue: 2)
  static let ownWait = Self(rawValue: 4)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ text: String) {
    self =
      switch text {
      case "frame": .ownFrame
      case "wakeup": .ownWait
      default: text.split(separator: ",").contains("blink.user_timing") ? .userTiming : []
      }
  }
}
