/// What became of each item: the only code that decides whether one was lost, done twice or out of order.
public struct ItemLedger: ~Copyable {
  private var logs: [ItemLog]
  /// Responses whose frame is not shown yet: kept until the frame's end is known.
  private var unshown: [(workload: WorkloadIndex, item: Int)] = []

  public init(_ plan: RunPlan, duration: TimeSpan) {
    logs = plan.workloads.map { workload in
      let expected = ArrivalSchedule.count(
        of: workload.workload, before: .zero + duration, seed: plan.seed, limit: 1 << 24)
      return ItemLog(workload, capacity: expected)
    }
    unshown.reserveCapacity(64)
  }

  /// Notes an arrival; items of a workload arrive in the order of their numbers.
  public mutating func arrived(_ item: ArrivalSchedule.Item) {
    logs[item.workload].arrived(item.number, at: item.instant)
  }

  /// Notes the end of an item's last step.
  public mutating func done(_ workload: WorkloadIndex, _ item: Int, at instant: Instant) {
    logs[workload].done(item, at: instant)
  }

  /// Notes that an item's result ran in the frame that is under way.
  public mutating func resultRan(_ workload: WorkloadIndex, _ item: Int) {
    if logs[workload].respondWithin != nil { unshown.append((workload, item)) }
  }

  /// Notes that the frame under way will be shown at `instant`.
  public mutating func frameShown(at instant: Instant) {
    for (workload, item) in unshown { logs[workload].responded(item, at: instant) }
    unshown.removeAll(keepingCapacity: true)
  }

  /// Notes that somebody still held an item when the run stopped.
  public mutating func pending(_ workload: WorkloadIndex, _ item: Int) {
    logs[workload].pendingCount += 1
  }

  /// Notes that an item was given up on purpose.
  public mutating func cancelled(_ workload: WorkloadIndex, _ item: Int) {
    logs[workload].cancelledCount += 1
  }

  public consuming func finish() -> [ItemLog] { logs }
}

/// The items of one workload.
public struct ItemLog: Sendable {
  public let workload: String
  public let respondWithin: TimeSpan?
  /// By item: when it arrived, in nanoseconds.
  public private(set) var arrivals: [Int64] = []
  /// By item: when it was done, in nanoseconds; negative while it is not.
  public private(set) var completions: [Int64] = []
  /// By item: the vsync that showed its result; negative while none has. Empty if nobody waits for it.
  public private(set) var responses: [Int64] = []
  public private(set) var doneCount = 0
  public internal(set) var pendingCount = 0
  public internal(set) var cancelledCount = 0
  /// Items that were done after a later one of their workload.
  public private(set) var orderViolations = 0
  /// Items that were done more than once, or had not arrived.
  public private(set) var impossibleCount = 0
  private var newestDone = -1

  init(_ plan: WorkloadPlan, capacity: Int) {
    workload = plan.workload.name
    respondWithin = plan.workload.respondWithin
    arrivals.reserveCapacity(capacity)
    completions.reserveCapacity(capacity)
    if respondWithin != nil { responses.reserveCapacity(capacity) }
  }

  mutating func arrived(_ item: Int, at instant: Instant) {
    precondition(item == arrivals.count, "items arrive in order")
    arrivals.append(instant.nanoseconds)
    completions.append(-1)
    if respondWithin != nil { responses.append(-1) }
  }

  mutating func done(_ item: Int, at instant: Instant) {
    guard completions.indices.contains(item), completions[item] < 0 else {
      impossibleCount += 1
      return
    }
    completions[item] = instant.nanoseconds
    doneCount += 1
    if item < newestDone { orderViolations += 1 }
    newestDone = max(newestDone, item)
  }

  mutating func responded(_ item: Int, at instant: Instant) {
    guard responses.indices.contains(item) else { return }
    responses[item] = instant.nanoseconds
  }
}
