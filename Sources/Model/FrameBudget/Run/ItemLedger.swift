/// The ledger of all items. No other code decides whether an item was lost, done twice or out of order.
public struct ItemLedger: ~Copyable {
  private var logs: PerWorkload<ItemLog>
  /// Responses whose frame is not shown yet, until that frame's vsync is known.
  private var unshown: [(frame: Int, workload: WorkloadIndex, item: Int)] = []
  /// Responses to replaced items that became known after their frame was shown, until the next one.
  private var late: [Response] = []
  /// Inputs whose handlers have ended and whose frame is not shown yet.
  private var unpainted: [(frame: Int, workload: WorkloadIndex, item: Int)] = []
  /// The number of frames that have ended, and of those that are known to be shown.
  private var (ended, shown) = (0, 0)

  /// Starts the ledger of a run of the given duration.
  public init(_ plan: RunPlan, duration: TimeSpan) {
    logs = plan.workloads.mapValues { workload in
      let expected = ArrivalSchedule.count(
        of: workload.workload, before: .zero + duration, seed: plan.seed, limit: 1 << 24)
      return ItemLog(workload, capacity: expected)
    }
    unshown.reserveCapacity(64)
  }

  /// Records an arrival; items of a workload arrive in the order of their numbers.
  public mutating func arrived(_ item: ArrivalSchedule.Item) {
    logs[item.workload].arrived(item.number, at: item.instant)
  }

  /// Records the end of an item's last step.
  public mutating func done(_ workload: WorkloadIndex, _ item: Int, at instant: Instant) {
    logs[workload].done(item, at: instant)
  }

  /// Records that the main thread starts to handle an item. For an input, its handlers begin if this is the first time.
  public mutating func handlersBegan(_ workload: WorkloadIndex, _ item: Int, at instant: Instant) {
    guard logs[workload].isInput else { return }
    logs[workload].handlersBegan(item, at: instant)
  }

  /// Records that the main thread has finished handling an item for now. For an input, its handlers end if this is the
  /// first time, and the current or next frame shows their effect. Returns whether that is so.
  @discardableResult
  public mutating func handlersEnded(
    _ workload: WorkloadIndex, _ item: Int, at instant: Instant
  ) -> Bool {
    guard logs[workload].isInput, logs[workload].handlersEnded(item, at: instant) else {
      return false
    }
    unpainted.append((ended, workload, item))
    return true
  }

  /// Records that an item's result ran in the current frame.
  public mutating func resultRan(_ workload: WorkloadIndex, _ item: Int) {
    unshown.append((ended, workload, item))
  }

  /// Records that the current frame has ended but is not ready; it is shown after the frames before it.
  public mutating func frameEnded() { ended += 1 }

  /// Records that the oldest frame that is not ready, or else the current one, will be shown at `instant`. Calls `tell`
  /// with each response.
  public mutating func frameShown(at instant: Instant, tell: (Response) -> Void = { _ in }) {
    ended = max(ended, shown + 1)
    defer { shown += 1 }
    if !unpainted.isEmpty { paint(at: instant) }
    if !late.isEmpty {
      late.forEach(tell)
      late.removeAll()
    }
    guard !unshown.isEmpty else { return }
    // By index: a slice would share the array, and removing from that would copy it.
    let visible = unshown.partitioningIndex { $0.frame > shown }
    for index in 0..<visible {
      let (_, workload, item) = unshown[index]
      for item in logs[workload].answered(by: item) {
        logs[workload].responded(item, at: instant)
        guard logs[workload].respondWithin != nil else { continue }
        tell(response(workload, item, at: instant))
      }
    }
    unshown.removeFirst(visible)
  }

  private func response(
    _ workload: WorkloadIndex, _ item: Int, at instant: Instant
  ) -> Response {
    let arrival = arrival(of: workload, item)
    return Response(workload: workload, arrival: arrival, span: instant - arrival)
  }

  private mutating func paint(at instant: Instant) {
    let visible = unpainted.prefix { $0.frame <= shown }
    for (_, workload, item) in visible { logs[workload].painted(item, at: instant) }
    unpainted.removeFirst(visible.count)
  }

  /// When an item arrived.
  public func arrival(of workload: WorkloadIndex, _ item: Int) -> Instant {
    Instant(nanoseconds: logs[workload].arrivals[item])
  }

  /// Records that an item was open when the run stopped; if `hasStepLeft`, a newer one could still end it before a step.
  public mutating func pending(
    _ workload: WorkloadIndex, _ item: Int, hasStepLeft: Bool = true
  ) {
    logs[workload].pending(item, hasStepLeft: hasStepLeft)
  }

  /// Records that an item was cancelled on purpose.
  public mutating func cancelled(_ workload: WorkloadIndex, _ item: Int) {
    logs[workload].cancelled(item)
  }

  /// Records that a newer item has replaced an item, which answers for it.
  public mutating func replaced(_ workload: WorkloadIndex, _ item: Int) {
    guard let instant = logs[workload].replaced(item) else { return }
    logs[workload].responded(item, at: instant)
    if logs[workload].respondWithin != nil { late.append(response(workload, item, at: instant)) }
  }

  /// The latest completion up to `instant` of any workload in `plan` with a step in `service`; nil if there was none.
  public func newestDone(in service: ServiceIndex, of plan: RunPlan, by instant: Instant)
    -> Instant?
  {
    let newest = zip(plan.workloads, logs).compactMap { workload, log in
      workload.steps.contains { $0.service == service } ? log.newestDone(by: instant) : nil
    }
    return newest.max()
  }

  /// Ends the ledger. Returns a log for each workload, in the scenario's order.
  public consuming func finish() -> [ItemLog] {
    for workload in logs.indices { logs[workload].replacePending() }
    return Array(logs)
  }
}

/// The log of the items of one workload. Results are recorded and counted together, so that both agree.
public struct ItemLog: Sendable {
  /// Its name.
  public let workload: String
  /// The name of one of its items, in the singular; nil if it has none.
  public let item: String?
  /// The longest response in time; nil if the work has no response.
  public let respondWithin: TimeSpan?
  /// Whether items are the user's input.
  let isInput: Bool
  /// Whether the UI shows the end of an item: it has a result, or it requests a frame.
  let isShown: Bool
  /// Whether one of the steps has the answer.
  let hasAnswer: Bool
  /// Whether a newer item ends an older one.
  private let endsItems: Bool
  /// By item: when its handlers began and ended, and the vsync that showed their effect; negative until then. Empty unless
  /// the items are input.
  private var inputs: [(begin: Int64, end: Int64, paint: Int64)] = []
  /// By item: its arrival time.
  public private(set) var arrivals = ArrivalTimes()
  /// By item: when it was done, in nanoseconds; negative if it is not.
  public private(set) var completions: [Int64] = []
  /// By item: the vsync that showed its result; negative while none has.
  public private(set) var responses: [Int64] = []
  /// The number of items that are done.
  public private(set) var doneCount = 0
  /// The number of items that are neither done nor cancelled.
  public private(set) var pendingCount = 0
  /// The number of cancelled items.
  public private(set) var cancelledCount = 0
  /// The number of items that a newer one replaced.
  public private(set) var replacedCount = 0
  /// The number of items that were done after a later one of their workload.
  public private(set) var orderViolations = 0
  /// The number of items that were recorded more than once, or had not arrived.
  public private(set) var impossibleCount = 0
  private var newestDone = -1

  // The values in `completions` for items that are not done.
  private static let open: Int64 = -1
  private static let pending: Int64 = -2
  private static let cancelled: Int64 = -3
  private static let replaced: Int64 = -4
  /// Pending, in a workload whose items newer ones end, with a step that has not begun.
  private static let endable: Int64 = -5

  /// Whether a newer item replaced `item`.
  public func isReplaced(_ item: Int) -> Bool { completions[item] == Self.replaced }

  /// Whether `item` was not cancelled.
  func isWaitedFor(_ item: Int) -> Bool { completions[item] != Self.cancelled }

  init(_ plan: WorkloadPlan, capacity: Int) {
    workload = plan.workload.name
    item = plan.workload.item
    respondWithin = plan.workload.respondWithin
    isInput = plan.workload.isInput
    isShown = plan.workload.shows || plan.workload.result != .none
    hasAnswer = plan.workload.steps.contains(where: \.answers)
    endsItems = plan.newest == .latest
    completions.reserveCapacity(capacity)
    responses.reserveCapacity(capacity)
  }

  mutating func arrived(_ item: Int, at instant: Instant) {
    precondition(item == arrivals.count, "items arrive in order")
    arrivals.append(instant.nanoseconds)
    completions.append(Self.open)
    responses.append(-1)
    if isInput { inputs.append((-1, -1, -1)) }
  }

  mutating func done(_ item: Int, at instant: Instant) {
    guard recordOutcome(item, instant.nanoseconds) else { return }
    doneCount += 1
    if item < newestDone { orderViolations += 1 }
    newestDone = max(newestDone, item)
  }

  mutating func pending(_ item: Int, hasStepLeft: Bool) {
    let outcome = endsItems && hasStepLeft ? Self.endable : Self.pending
    if recordOutcome(item, outcome) { pendingCount += 1 }
  }

  mutating func cancelled(_ item: Int) {
    if recordOutcome(item, Self.cancelled) { cancelledCount += 1 }
  }

  /// Records that a newer item replaced `item`. Returns when that one was shown, if it was and if `item` has no answer itself.
  fileprivate mutating func replaced(_ item: Int) -> Instant? {
    guard recordOutcome(item, Self.replaced) else { return nil }
    replacedCount += 1
    guard responses[item] < 0,
      let newer = (item + 1..<arrivals.count).first(where: {
        !isReplaced($0) || responses[$0] >= 0
      }),
      responses[newer] >= 0
    else { return nil }
    return Instant(nanoseconds: responses[newer])
  }

  /// The items for which `item` answers: itself, and those without an answer that it has replaced.
  fileprivate func answered(by item: Int) -> Range<Int> {
    var first = item
    while first > 0, isReplaced(first - 1), responses[first - 1] < 0 { first -= 1 }
    return first..<item + 1
  }

  /// At the end of a run, items count as replaced that a newer one would have ended before their next step, not as pending.
  fileprivate mutating func replacePending() {
    guard endsItems else { return }
    for item in completions.indices.dropLast() where completions[item] == Self.endable {
      completions[item] = Self.replaced
      pendingCount -= 1
      replacedCount += 1
    }
    // Those before an item that was shown have its answer.
    var answer: Int64 = -1
    for item in completions.indices.reversed() {
      if isReplaced(item), responses[item] < 0 { responses[item] = answer }
      answer = responses[item]
    }
  }

  /// Records the outcome of an item, once: two errors must not cancel out in the totals.
  private mutating func recordOutcome(_ item: Int, _ outcome: Int64) -> Bool {
    guard completions.indices.contains(item), completions[item] == Self.open else {
      impossibleCount += 1
      return false
    }
    completions[item] = outcome
    return true
  }

  /// The latest completion of an item up to `instant`; nil if there was none.
  func newestDone(by instant: Instant) -> Instant? {
    let done = completions.lazy.filter { $0 >= 0 && $0 <= instant.nanoseconds }.max()
    return done.map(Instant.init(nanoseconds:))
  }

  mutating func responded(_ item: Int, at instant: Instant) {
    guard responses.indices.contains(item) else { return }
    responses[item] = instant.nanoseconds
  }
}

extension ItemLog {
  fileprivate mutating func handlersBegan(_ item: Int, at instant: Instant) {
    guard inputs.indices.contains(item), inputs[item].begin < 0 else { return }
    inputs[item].begin = instant.nanoseconds
  }

  /// Records the end of the handlers. Returns false if they had ended before.
  fileprivate mutating func handlersEnded(_ item: Int, at instant: Instant) -> Bool {
    guard inputs.indices.contains(item), inputs[item].end < 0 else { return false }
    inputs[item].end = instant.nanoseconds
    return true
  }

  fileprivate mutating func painted(_ item: Int, at instant: Instant) {
    inputs[item].paint = instant.nanoseconds
  }

  /// Calls `body` with the times of each input that was not cancelled, in nanoseconds; negative if missing. Where a step answers,
  /// the picture with its result ends the interaction.
  func forEachInput(
    _ body: (_ at: Int64, _ handlers: (begin: Int64, end: Int64), _ paint: Int64) -> Void
  ) {
    for (item, arrival) in arrivals.enumerated() where isInput && isWaitedFor(item) {
      let handled = handled(item)
      let paint = hasAnswer ? responses[handled] : inputs[handled].paint
      body(arrival, (inputs[handled].begin, inputs[handled].end), paint)
    }
  }

  /// The item whose handlers are those of `item`: the one that replaced it, if it had none itself.
  private func handled(_ item: Int) -> Int {
    guard isReplaced(item), inputs[item].begin < 0 else { return item }
    return (item + 1..<arrivals.count).first { !isReplaced($0) || inputs[$0].begin >= 0 } ?? item
  }
}

/// The overdue responses, from arrivals and responses alone, so that they are known even in a hang that delivers nothing.
public struct OpenResponses: Sendable {
  private var awaited: [Awaited]

  /// A workload with a limit for its responses.
  fileprivate struct Awaited: Sendable {
    let workload: WorkloadIndex
    let allowed: TimeSpan
    /// The end of the run; nothing arrives from then on.
    let end: Instant
    var arrivals: ArrivalSequence
    /// Arrivals of overdue items without a response.
    var overdue: [Instant] = []
    /// Arrivals of items with a response in time.
    var answered: [Instant] = []
  }

  /// Creates an empty set for the start of a run.
  public init(_ plan: RunPlan) {
    awaited = plan.workloads.indexed.compactMap { index, workload in
      workload.workload.respondWithin.map {
        Awaited(
          workload: index, allowed: $0, end: .zero + plan.scenario.duration,
          arrivals: ArrivalSequence(workload.workload, in: plan))
      }
    }
  }

  /// Records that `count` more items of `workload` arrive at `instant`.
  public mutating func add(_ count: Int, of workload: WorkloadIndex, at instant: Instant) {
    for index in awaited.indices where awaited[index].workload == workload {
      awaited[index].arrivals.add(count, at: instant)
    }
  }

  /// Records a response.
  public mutating func answered(_ response: Response) {
    for index in awaited.indices where awaited[index].workload == response.workload {
      awaited[index].answered(response.arrival)
    }
  }

  /// The age of each overdue response at `now`, which must not decrease between calls.
  public mutating func overdue(at now: Instant) -> [TimeSpan] {
    for index in awaited.indices { awaited[index].advance(to: now) }
    return awaited.flatMap { $0.overdue.map { now - $0 } }
  }
}

extension OpenResponses.Awaited {
  fileprivate mutating func answered(_ arrival: Instant) {
    if let index = overdue.firstIndex(of: arrival) {
      overdue.remove(at: index)
    } else {
      answered.append(arrival)
    }
  }

  fileprivate mutating func advance(to now: Instant) {
    while let arrival = arrivals.upcoming, arrival < end, now - arrival > allowed {
      arrivals.advance()
      if let index = answered.firstIndex(of: arrival) {
        answered.remove(at: index)
      } else {
        overdue.append(arrival)
      }
    }
  }
}

extension ItemLog {
  /// The arrival of each item that needs a response, and the vsync that showed its result, if one did; in the order of
  /// arrival, without cancelled items. Empty if the workload needs no response.
  public var awaited: [(arrival: Instant, shown: Instant?)] {
    guard respondWithin != nil else { return [] }
    return arrivals.indices.compactMap { item in
      guard isWaitedFor(item) else { return nil }
      let shown = responses[item]
      return (
        Instant(nanoseconds: arrivals[item]), shown < 0 ? nil : Instant(nanoseconds: shown)
      )
    }
  }
}
