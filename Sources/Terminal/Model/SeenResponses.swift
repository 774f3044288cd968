internal import FrameBudget

/// The responses of a run as it is watched.
struct SeenResponses: Sendable {
  /// How long a workload's may take.
  private let allowed: PerWorkload<TimeSpan?>
  private var times = Tally()
  private var answeredLate = 0
  /// How long those have been open that have been open for too long.
  private var overdue: [TimeSpan] = []

  init(within allowed: PerWorkload<TimeSpan?>) { self.allowed = allowed }

  /// Takes in what was seen since the last time.
  mutating func take(_ glance: RunGlance) {
    for response in glance.responses {
      times.add(response.span.nanoseconds)
      if let allowed = allowed[response.workload], response.span > allowed { answeredLate += 1 }
    }
    overdue = glance.responsesOverdue
  }

  /// Whether somebody waits for any.
  var areAwaited: Bool { allowed.contains { $0 != nil } }

  /// Those that took too long, and those that have been open for too long.
  var late: Int { answeredLate + overdue.count }

  /// Those that came, and those that have been open for too long.
  var waits: Waits { Waits(ended: times, open: overdue) }
}
