internal import FrameBudget

/// What the virtual threads did, taken down from the operations they answer and the steps they go through.
struct AppTrace {
  private(set) var threads: PerThread<ThreadTrace>
  /// What each has begun that ends when it is next asked.
  private var open: PerThread<(activity: TraceActivity, since: Instant)?>
  /// Who holds each lock, and since when.
  private var holders: PerLock<(thread: ThreadIndex, since: Instant)?>
  /// The next step of the item that was posted last.
  var posted = TracePlace(workload: 0, item: 0, step: 0)

  init(_ plan: RunPlan) {
    let names = plan.threadNames
    let room = TraceLog.room(for: plan)
    threads = names.mapValues { _ in ThreadTrace(room: room) }
    open = names.mapValues { _ in nil }
    holders = plan.arrangement.locks.mapValues { _ in nil }
  }

  /// Notes that `thread` is asked for its next operation: the last one is over.
  mutating func asked(_ thread: ThreadIndex, at now: Instant) {
    guard let (activity, since) = open[thread].take() else { return }
    if case .lockWait(let lock) = activity {
      holders[lock] = (thread, now)
      guard now > since else { return }
    }
    threads[thread].append(activity, from: since, to: now)
  }

  /// Notes what `thread` answered.
  mutating func answered(_ operation: Operation, by thread: ThreadIndex, at now: Instant) {
    switch operation {
    case .lock(let lock): open[thread] = (.lockWait(lock), now)
    case .unlock(let lock): released(lock, at: now)
    case .post: open[thread] = (.post(posted), now)
    case .compute, .wait, .sleep, .doze, .renice, .end: return
    }
  }

  private mutating func released(_ lock: LockIndex, at now: Instant) {
    guard let (thread, since) = holders[lock].take() else { return }
    threads[thread].append(.lockHold(lock), from: since, to: now)
  }

  mutating func append(
    _ activity: TraceActivity, by thread: ThreadIndex, from begin: Instant, to end: Instant
  ) {
    threads[thread].append(activity, from: begin, to: end)
  }

  /// Ends what is under way when the run does; `runners` are the threads, and what they are at.
  mutating func finish(_ runners: PerThread<Runner>, _ steps: StepTable, at end: Instant) {
    for lock in holders.indices { released(lock, at: end) }
    for thread in runners.indices {
      let runner = runners[thread]
      if runner.isInStep {
        append(.step(steps.place(of: runner.item)), by: thread, from: runner.stepBegan, to: end)
      }
      asked(thread, at: end)
    }
  }
}

extension Runner {
  /// Whether it is between the begin and the end of a step.
  fileprivate var isInStep: Bool {
    switch stage {
    case .waiting, .copyingState, .leavingService: true
    default: false
    }
  }
}
