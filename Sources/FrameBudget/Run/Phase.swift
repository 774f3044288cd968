/// What the main thread spends a frame on.
public enum Phase: Int, CaseIterable, Sendable {
  /// Handing items over, wake-ups included.
  case post
  /// Business steps on the main thread.
  case logic
  /// Results.
  case drain
  /// Dropping the last reference to old snapshots.
  case release
  /// Looking at the state of services.
  case reads
  /// Drawing.
  case render
  /// Blocked on a lock; contained in no other phase.
  case lockWait
  /// From the vsync to the begin of the frame, less what the app did on the thread meanwhile: the thread was asleep, or had no
  /// processor.
  case wakeup
  /// Within the frame the thread could have run, but threads of the app itself had the processors; contained in the
  /// phases that this interrupted.
  case preempted
  /// The same, but other processes or the hypervisor had them.
  case machine
  /// Behind the main thread: from the end of its work until the second stage is through, waiting for the frame before
  /// included.
  case compositor

  /// What the time from a frame's begin to its end adds up from, in a loop of events with what it waited for before; the
  /// others lie before it or within these.
  public static let parts: [Phase] = [.post, .logic, .drain, .release, .reads, .render, .lockWait]

  /// As columns and traces name it.
  public var name: String { self == .lockWait ? "lock_wait" : "\(self)" }
}

/// The time spent on each phase.
public struct PhaseSpans: Hashable, Sendable {
  // Not a vector: what is written phase by phase and read as a whole makes a processor wait for its own writes.
  private var nanoseconds = [11 of Int64](repeating: 0)

  /// No time on any phase.
  public init() {}

  /// The time spent on a phase.
  public subscript(phase: Phase) -> TimeSpan {
    get { TimeSpan(nanoseconds: nanoseconds[phase.rawValue]) }
    set { nanoseconds[phase.rawValue] = newValue.nanoseconds }
  }

  static func += (left: inout Self, right: Self) {
    for place in left.nanoseconds.indices { left.nanoseconds[place] += right.nanoseconds[place] }
  }

  /// Takes over what is negative in `other`.
  mutating func keepNegative(of other: Self) {
    for place in nanoseconds.indices where other.nanoseconds[place] < 0 {
      nanoseconds[place] = other.nanoseconds[place]
    }
  }

  /// So large a part of each.
  func scaled(by share: Double) -> Self {
    var scaled = Self()
    for phase in Phase.allCases {
      scaled[phase] = TimeSpan(nanoseconds: Int64(Double(self[phase].nanoseconds) * share))
    }
    return scaled
  }

  /// Handing items over, and taking their results.
  public var handOff: TimeSpan { self[.post] + self[.drain] + self[.release] }

  public static func == (left: Self, right: Self) -> Bool {
    left.nanoseconds.indices.allSatisfy { left.nanoseconds[$0] == right.nanoseconds[$0] }
  }

  public func hash(into hasher: inout Hasher) {
    for place in nanoseconds.indices { hasher.combine(nanoseconds[place]) }
  }
}

/// Why a frame was late.
public enum Cause: UInt8, CaseIterable, Sendable {
  // In the order of the columns, where a new one comes last; `tried` is another order.
  /// Named as columns and tables name it.
  case wakeup, lock, logic, drain, post, reads, render, preempted, machine, compositor
  /// The frame began late because no buffer was free.
  case stuffed

  /// The thread could have run and did not.
  static let notRunning: [Cause] = [.wakeup, .preempted, .machine]
  static let running: [Cause] = [
    .lock, .logic, .drain, .post, .reads, .compositor, .render,
  ]

  /// In the order in which they are tried; what kept a frame from beginning is none of its own and comes last.
  public static let tried = notRunning + running + [.stuffed]

  /// As columns and tables name it.
  public var name: String { "\(self)" }

  /// The time that this cause took from a frame.
  func span(in spans: PhaseSpans) -> TimeSpan {
    switch self {
    case .wakeup: spans[.wakeup]
    case .lock: spans[.lockWait]
    case .logic: spans[.logic]
    case .drain: spans[.drain] + spans[.release]
    case .post: spans[.post]
    case .reads: spans[.reads]
    case .render: spans[.render]
    case .preempted: spans[.preempted]
    case .machine: spans[.machine]
    case .compositor: spans[.compositor]
    case .stuffed: .zero
    }
  }

  /// The first cause without which a frame would have ended `overshoot` earlier; if none alone, the largest.
  ///
  /// Not to have run is one thing, for whatever reasons: if it suffices, then the first of its causes that does
  /// alone, or the largest of them.
  static func of(_ spans: PhaseSpans, overshoot: TimeSpan) -> Cause {
    guard notRunning(in: spans) < overshoot else {
      return notRunning.first { $0.span(in: spans) >= overshoot }
        ?? largest(of: notRunning, in: spans)
    }
    return running.first { $0.span(in: spans) >= overshoot } ?? largest(spans)
  }

  static func largest(_ spans: PhaseSpans) -> Cause {
    let other = largest(of: running, in: spans)
    return other.span(in: spans) > notRunning(in: spans)
      ? other : largest(of: notRunning, in: spans)
  }

  private static func notRunning(in spans: PhaseSpans) -> TimeSpan {
    notRunning.reduce(.zero) { $0 + $1.span(in: spans) }
  }

  /// The first of equal ones.
  private static func largest(of causes: [Cause], in spans: PhaseSpans) -> Cause {
    var largest = causes[0]
    for cause in causes where cause.span(in: spans) > largest.span(in: spans) { largest = cause }
    return largest
  }
}
