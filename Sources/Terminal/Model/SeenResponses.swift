internal import FrameBudget

/// The responses of a run as it is watched.
struct SeenResponses: Sendable {
  /// How long a workload's may take.
  private let allowed: PerWorkload<TimeSpan?>
  private var times = Tally()
  private var answeredLate = 0
  /// Those that have an answer, as many as can be looked back at.
  private var answered: [Tap] = []
  private static let kept = 4096
  /// How long those have been open that have been open for too long.
  private var overdue: [TimeSpan] = []

  init(within allowed: PerWorkload<TimeSpan?>) { self.allowed = allowed }

  /// Takes in what was seen since the last time.
  mutating func take(_ glance: RunGlance) {
    for response in glance.responses { take(response) }
    overdue = glance.responsesOverdue
  }

  private mutating func take(_ response: Response) {
    times.add(response.span.nanoseconds)
    guard let allowed = allowed[response.workload] else { return }
    let isLate = response.span > allowed
    if isLate { answeredLate += 1 }
    answered.append(
      Tap(at: response.arrival, answer: response.arrival + response.span, isLate: isLate))
    if answered.count > 2 * Self.kept { answered.removeFirst(Self.kept) }
  }

  /// Everybody who waited, or by `now` waits for longer than allowed.
  func taps(at now: Instant) -> [Tap] {
    answered + overdue.map { Tap(at: now - $0, answer: nil, isLate: true) }
  }

  /// Whether somebody waits for any.
  var areAwaited: Bool { allowed.contains { $0 != nil } }

  /// Those that took too long, and those that have been open for too long.
  var late: Int { answeredLate + overdue.count }

  /// Those that came, and those that have been open for too long.
  var waits: Waits { Waits(ended: times, open: overdue) }
}
