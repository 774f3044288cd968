/// Which responses somebody has waited for too long, told from arrivals and answers alone: it is known in a hang too,
/// when nothing is delivered.
public struct OpenResponses: Sendable {
  private var awaited: [Awaited]

  /// A workload whose responses may take only so long.
  fileprivate struct Awaited: Sendable {
    let workload: WorkloadIndex
    let allowed: TimeSpan
    /// The run's end, from which on nothing arrives.
    let end: Instant
    var arrivals: ArrivalSequence
    /// Arrivals of items that are late by now and have no answer.
    var overdue: [Instant] = []
    /// Arrivals of items that were answered before they were due.
    var answered: [Instant] = []
  }

  /// Those of a run that begins: none yet.
  public init(_ plan: RunPlan) {
    awaited = plan.workloads.indexed.compactMap { index, workload in
      workload.workload.respondWithin.map {
        Awaited(
          workload: index, allowed: $0, end: .zero + plan.scenario.duration,
          arrivals: ArrivalSequence(workload.workload, in: plan))
      }
    }
  }

  /// Notes that `count` more items of `workload` arrive at `instant`.
  public mutating func add(_ count: Int, of workload: WorkloadIndex, at instant: Instant) {
    for place in awaited.indices where awaited[place].workload == workload {
      awaited[place].arrivals.add(count, at: instant)
    }
  }

  /// Notes that one has come.
  public mutating func answered(_ response: Response) {
    for place in awaited.indices where awaited[place].workload == response.workload {
      awaited[place].answered(response.arrival)
    }
  }

  /// How long those have been open at `now` that are open for longer than they may be; `now` does not go back.
  public mutating func overdue(at now: Instant) -> [TimeSpan] {
    for place in awaited.indices { awaited[place].advance(to: now) }
    return awaited.flatMap { $0.overdue.map { now - $0 } }
  }
}

extension OpenResponses.Awaited {
  fileprivate mutating func answered(_ arrival: Instant) {
    if let place = overdue.firstIndex(of: arrival) {
      overdue.remove(at: place)
    } else {
      answered.append(arrival)
    }
  }

  fileprivate mutating func advance(to now: Instant) {
    while let arrival = arrivals.upcoming, arrival < end, now - arrival > allowed {
      arrivals.advance()
      if let place = answered.firstIndex(of: arrival) {
        answered.remove(at: place)
      } else {
        overdue.append(arrival)
      }
    }
  }
}
