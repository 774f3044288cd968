/// Which responses somebody has waited for too long, told from arrivals and answers alone: it is known in a hang too,
/// when nothing is delivered.
public struct OpenResponses: Sendable {
  private var awaited: [Awaited]

  /// A workload whose responses may take only so long.
  fileprivate struct Awaited: Sendable {
    let workload: WorkloadIndex
    let allowed: TimeSpan
    var arrivals: ArrivalSequence
    /// Items that arrived so long ago that they are late, unless they were answered.
    var due = 0
    var answeredOfDue = 0
    /// Arrivals of items that were answered before they were due.
    var answered: [Instant] = []
  }

  public init(_ plan: RunPlan) {
    awaited = plan.workloads.enumerated().compactMap { index, workload in
      workload.workload.respondWithin.map {
        Awaited(
          workload: index, allowed: $0,
          arrivals: ArrivalSequence(workload.workload, seed: plan.seed))
      }
    }
  }

  /// Notes that `count` more items of `workload` arrive at `instant`.
  public mutating func add(_ count: Int, of workload: WorkloadIndex, at instant: Instant) {
    for place in awaited.indices where awaited[place].workload == workload {
      awaited[place].arrivals.add(count, at: instant)
    }
  }

  public mutating func answered(_ response: Response) {
    for place in awaited.indices where awaited[place].workload == response.workload {
      awaited[place].answered.append(response.arrival)
    }
  }

  /// How many are open at `now` for longer than they may be; `now` does not go back.
  public mutating func overdue(at now: Instant) -> Int {
    for place in awaited.indices { awaited[place].advance(to: now) }
    return awaited.reduce(0) { $0 + $1.due - $1.answeredOfDue }
  }
}

extension OpenResponses.Awaited {
  fileprivate mutating func advance(to now: Instant) {
    while let arrival = arrivals.upcoming, now - arrival > allowed {
      arrivals.advance()
      due += 1
    }
    answered.removeAll { arrival in
      let isDue = now - arrival > allowed
      if isDue { answeredOfDue += 1 }
      return isDue
    }
  }
}
