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
