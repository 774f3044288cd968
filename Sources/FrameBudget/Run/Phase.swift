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
  case reads
  case render
  /// Blocked on a lock; contained in no other phase.
  case lockWait
  /// Late begin, and time in which the thread could have run but did not; the latter is also
  /// contained in the phase that it interrupted.
  case wakeup

  public var name: String { self == .lockWait ? "lock_wait" : "\(self)" }
}

/// The time spent on each phase.
public struct PhaseSpans: Hashable, Sendable {
  // Not a vector: what is written phase by phase and read as a whole makes a processor wait for its own writes.
  private var nanoseconds = [8 of Int64](repeating: 0)

  public init() {}

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

  public static func == (left: Self, right: Self) -> Bool {
    left.nanoseconds.indices.allSatisfy { left.nanoseconds[$0] == right.nanoseconds[$0] }
  }

  public func hash(into hasher: inout Hasher) {
    for place in nanoseconds.indices { hasher.combine(nanoseconds[place]) }
  }
}

/// Why a frame was late.
public enum Cause: UInt8, CaseIterable, Sendable {
  // In the order in which they are tried.
  case wakeup, lock, logic, drain, post, reads, render

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
    }
  }

  /// The first cause without which a frame would have ended `overshoot` earlier; if none alone, the largest.
  static func of(_ spans: PhaseSpans, overshoot: TimeSpan) -> Cause {
    allCases.first { $0.span(in: spans) >= overshoot } ?? largest(spans)
  }

  static func largest(_ spans: PhaseSpans) -> Cause {
    var largest = Cause.wakeup
    for cause in allCases where cause.span(in: spans) > largest.span(in: spans) { largest = cause }
    return largest
  }
}
