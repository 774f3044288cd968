// The phases of a frame's time, and the cause of a late frame.

/// An activity that takes part of a frame's time. New phases are added last, because per-frame files have their columns in this
/// order.
public enum Phase: Int, CaseIterable, Sendable {
  /// Handing items over, including wake-ups.
  case post
  /// Business steps on the main thread.
  case logic
  /// Results.
  case drain
  /// Dropping the last reference to old snapshots.
  case release
  /// Reading the state of services.
  case reads
  /// Drawing.
  case render
  /// Blocked on a lock; not contained in any other phase.
  case lockWait
  /// From the vsync to the start of the frame, without the app's work on the thread meanwhile: the thread was asleep, or had no
  /// processor.
  case wakeup
  /// Ready within the frame while other threads of the app had the processors; contained in the interrupted phases.
  case preempted
  /// The same, while other processes or the hypervisor had the processors.
  case machine
  /// The second stage: from the end of the work on the main thread until the stage has finished, including the wait for the
  /// previous frame.
  case compositor

  /// A number for each of the phases above; the compiler wants their count as a literal.
  typealias Numbers = [11 of Int64]

  /// The phases that add up to the time from a frame's begin to its end, in a loop of events including the earlier work that it
  /// waited for. The other phases are before the start or within these.
  public static let parts: [Phase] = [.post, .logic, .drain, .release, .reads, .render, .lockWait]

  /// The name in columns and traces.
  public var name: String { Self.names[rawValue] }

  // Written out: a case's name as text is found by reflection, which takes microseconds.
  private static let names = [
    "post", "logic", "drain", "release", "reads", "render", "lock_wait", "wakeup", "preempted",
    "machine", "compositor",
  ]

  /// The explanation in the header of its column.
  var meaning: String {
    switch self {
    case .post: "handing items over, including wake-ups"
    case .logic: "business steps on the main thread"
    case .drain: "results"
    case .release: "dropping the last reference to old snapshots"
    case .reads: "UI reads"
    case .render: "drawing"
    case .lockWait: "blocked on locks; not contained in the other phases"
    case .wakeup:
      "from its vsync to its start, without the work of the app on the main thread meanwhile"
    case .preempted:
      "within it, while other threads of the app had the processors; contained in the interrupted phases"
    case .machine:
      "within it, while other processes or the hypervisor had the processors; contained in the interrupted phases"
    case .compositor: "the second stage, including the wait for the previous frame"
    }
  }
}

/// The time spent on each phase.
public struct PhaseSpans: Hashable, Sendable {
  // Not a vector, because writing single phases and reading the whole vector stalls the processor.
  private var nanoseconds = Phase.Numbers(repeating: 0)

  /// No time on any phase.
  public init() {}

  /// The time spent on a phase.
  public subscript(phase: Phase) -> TimeSpan {
    get { TimeSpan(nanoseconds: nanoseconds[phase.rawValue]) }
    set { nanoseconds[phase.rawValue] = newValue.nanoseconds }
  }

  static func += (left: inout Self, right: Self) {
    for index in left.nanoseconds.indices { left.nanoseconds[index] += right.nanoseconds[index] }
  }

  /// Replaces values by the negative ones of `other`.
  mutating func keepNegative(of other: Self) {
    var signs: Int64 = 0
    for index in other.nanoseconds.indices { signs |= other.nanoseconds[index] }
    guard signs < 0 else { return }
    for index in nanoseconds.indices where other.nanoseconds[index] < 0 {
      nanoseconds[index] = other.nanoseconds[index]
    }
  }

  /// Each span multiplied by `share`.
  func scaled(by share: Double) -> Self {
    var scaled = Self()
    for phase in Phase.allCases {
      scaled[phase] = TimeSpan(nanoseconds: Int64(Double(self[phase].nanoseconds) * share))
    }
    return scaled
  }

  /// Handing items over. Results are not a part of it: every arrangement runs them on the main thread.
  public var handOff: TimeSpan { self[.post] + self[.release] }

  public static func == (left: Self, right: Self) -> Bool {
    left.nanoseconds.indices.allSatisfy { left.nanoseconds[$0] == right.nanoseconds[$0] }
  }

  public func hash(into hasher: inout Hasher) {
    for index in nanoseconds.indices { hasher.combine(nanoseconds[index]) }
  }
}

/// The cause of a late frame.
///
/// In the order of the columns, with new ones last; `attributionOrder` has another order.
public enum Cause: UInt8, CaseIterable, Sendable {
  /// Named as in columns and tables.
  case wakeup, lock, logic, drain, post, reads, render, preempted, machine, compositor
  /// The frame began late because no buffer was free.
  case stuffed

  /// The main thread was ready within its frame and had no processor.
  package static let withoutProcessor: [Cause] = [.preempted, .machine]
  /// The thread could have run and did not.
  static let notRunning = [.wakeup] + withoutProcessor
  static let running: [Cause] = [
    .lock, .logic, .drain, .post, .reads, .compositor, .render,
  ]

  /// In the usual order of display, for views in which no cause has dropped a frame yet.
  package static let displayOrder: [Cause] = [
    .logic, .render, .lock, .drain, .preempted, .wakeup, .post, .reads, .machine, .compositor,
    .stuffed,
  ]

  /// In the order in which a late frame is attributed to them. `stuffed` is last, because it is not part of a frame's own work.
  public static let attributionOrder = notRunning + running + [.stuffed]

  /// The name in columns and tables.
  public var name: String { Self.names[Int(rawValue)] }

  // Written out, like those of phases.
  private static let names = [
    "wakeup", "lock", "logic", "drain", "post", "reads", "render", "preempted", "machine",
    "compositor", "stuffed",
  ]

  /// Its other properties; code outside this file does not distinguish causes to show them.
  package var traits: CauseTraits { CauseTraits.all[Int(rawValue)] }

  /// The time that this cause took from a frame.
  ///
  /// A switch, because each late frame needs it several times: with a table, a simulation takes 4 % more instructions.
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

  /// The first cause without which a frame would have ended `overshoot` earlier; if no single one suffices, the largest.
  ///
  /// The causes of not running count together: if their sum suffices, the first of them that suffices alone, or the largest of
  /// them.
  package static func of(_ spans: PhaseSpans, overshoot: TimeSpan) -> Cause {
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

  /// The first among equal ones.
  private static func largest(of causes: [Cause], in spans: PhaseSpans) -> Cause {
    var largest = causes[0]
    for cause in causes where cause.span(in: spans) > largest.span(in: spans) { largest = cause }
    return largest
  }
}

extension Cause {
  /// Who is blamed for a dropped frame with this cause on a real machine. In virtual time it is always the app, because its
  /// scenario declares any other processes.
  package enum Blame: Sendable {
    case app
    /// Other processes, or the hypervisor.
    case machine
    /// The machine if such frames are rare. If they are frequent, the app's own threads, which keep the processors busy, are
    /// more likely.
    case machineIfRare
  }
}

/// The measurement, words and appearance of a cause.
package struct CauseTraits: Sendable {
  /// The phases that took the time; empty if the frame itself lost no time.
  package let phases: [Phase]
  /// The words after "caused by" in a sentence.
  package let words: String
  /// The lost time, in the columns' formulas.
  package let formula: String
  /// The words after its name in the help, at most 28 columns.
  package let help: String
  /// A capital letter, unique among causes, for places with room for one character.
  package let letter: Unicode.Scalar
  /// The colour in a terminal, as a number among 256 and among 8 colours.
  package let color: (among256: Int32, among8: Int32)
  /// Who is blamed for it.
  package let blame: Cause.Blame

  /// The letter in lower case.
  package var smallLetter: Unicode.Scalar {
    letter.properties.lowercaseMapping.unicodeScalars.first ?? letter
  }

  fileprivate static let all = Cause.allCases.map(Self.init)

  private init(_ cause: Cause) {
    phases = Phase.allCases.filter { phase in
      var spans = PhaseSpans()
      spans[phase] = .nanoseconds(1)
      return cause.span(in: spans) > .zero
    }
    (words, help, letter, color, blame, formula) =
      switch cause {
      case .wakeup:
        (
          "late wake-ups", "main woke late", "W", (250, 7), .machineIfRare,
          "begin - V(b), without the work of the app on the main thread meanwhile"
        )
      case .lock:
        ("waiting for locks", "main thread waits", "K", (170, 5), .app, "blocked on locks")
      case .logic:
        (
          "business logic", "items on main", "L", (208, 3), .app,
          "business steps on the main thread"
        )
      case .drain:
        (
          "handling results", "results of items", "D", (116, 6), .app,
          "results, and releasing snapshots"
        )
      case .post:
        ("handing work over", "handing items over", "P", (80, 6), .app, "handing items over")
      case .reads:
        ("UI reads", "UI reads state", "U", (75, 4), .app, "UI reads")
      case .render:
        ("drawing", "drawing", "R", (71, 2), .app, "drawing")
      case .preempted:
        (
          "other threads of the app, which had the processors", "own threads ran", "O", (141, 7),
          .app,
          "within the frame, other threads of the app had the processors"
        )
      case .machine:
        (
          "other processes", "other processes", "M", (137, 7), .machine,
          "within the frame, other processes or the hypervisor had the processors (in virtual time only with machine.busy)"
        )
      case .compositor:
        (
          "the second stage", "second stage", "C", (108, 2), .app,
          "R - E, the second stage, including the wait for the previous frame"
        )
      case .stuffed:
        (
          "waiting for a free buffer", "no buffer was free", "S", (246, 7), .app,
          "at its start no buffer was free"
        )
      }
  }
}

extension Phase {
  /// The cause of a frame that this phase made late.
  package var cause: Cause {
    Cause.allCases.first { $0.traits.phases.contains(self) } ?? .render
  }
}
