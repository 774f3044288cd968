// The options of lanes, by carrier, and their effect on the costs of a hand-off.

extension StrategyOption {
  /// An option of `operation-queue`.
  public static let operations = StrategyOption(
    "operations", default: OperationUnit.item,
    "unit of an operation: all steps of an item on the lane, or each step, after the previous one")

  /// An option of `ordered`.
  public static let drain = StrategyOption(
    "drain", default: DrainUnit.item,
    "part of a workload that runs before the next workload: an item, or all waiting ones")

  /// An option of `ordered`.
  public static let lock = StrategyOption(
    "lock", default: QueueLock.mutex, "lock of a workload's queue, never held while an item runs")

  /// An option of `bridge`.
  public static let flush = StrategyOption(
    "flush", default: .milliseconds(5), "interval at which calls are sent to the other side")
  /// An option of `job-queue`.
  public static let persister = StrategyOption(
    "persister", default: JobKeeper.none,
    "store of jobs: none, a file rewritten at each change, or a row each in SQLite")

  /// An option of `job-queue`.
  public static let restore = StrategyOption(
    "restore", default: JobRestoring.creating,
    "thread that restores stored jobs in the first frame: the one that creates the queue, or the queue's"
  )

  /// An option of `job-queue`.
  public static let kept = StrategyOption(
    "kept", default: 0, in: 0...100_000,
    "number of stored jobs of earlier runs; they wait for the whole run")
}

/// The store of a job queue.
public enum JobKeeper: String, CaseIterable, Sendable {
  /// No store.
  case none
  /// A file that is rewritten at each change.
  case file
  /// An SQLite database.
  case sqlite
}

/// The thread that restores stored jobs.
public enum JobRestoring: String, CaseIterable, Sendable {
  /// The thread that creates the queue, before any event runs.
  case creating
  /// The queue's own thread.
  case background
}

/// The unit that becomes an operation of an operation queue.
public enum OperationUnit: String, CaseIterable, Sendable {
  /// A whole item.
  case item
  /// One step of it.
  case step
}

/// The number of events of a workload that an ordered lane runs before those of other workloads.
public enum DrainUnit: String, CaseIterable, Sendable {
  /// One event at a time.
  case item
  /// All that are waiting.
  case batch
}

/// The lock of a workload's queue on an ordered lane.
public enum QueueLock: String, CaseIterable, Sendable {
  /// A spin lock.
  case spin
  /// The system's mutex.
  case mutex
  /// A mutex that its holder may lock again.
  case recursive
}

extension Lane {
  /// Whether each step is an event of its own, which waits for the previous one.
  public var splitsSteps: Bool {
    guard carrier == .operationQueue else { return false }
    let unit: OperationUnit = options.choice(.operations)
    return unit == .step
  }

  /// Whether its events run on Dispatch's pool, which has one thread per core; a serial queue always has a thread of its own.
  package var isPooled: Bool {
    switch carrier {
    case .actor, .ordered: true
    case .dispatch, .operationQueue: width > 1
    case .main, .thread, .scheduler, .naive, .actorOnScheduler, .runLoop, .nio, .jobQueue, .bridge,
      .process:
      false
    }
  }

  /// `costs`, the costs of its carrier, with the effect of its options.
  func changed(_ costs: HandOffCosts) -> HandOffCosts {
    var costs = costs
    if carrier == .bridge { costs.pollInterval = options.timeSpan(.flush) }
    // If places are free, the list of waiting operations is searched to its end for one that can start: 34 us for 250 in a
    // chain, 250 us for 2000. With a single place, which is taken as long as anything waits, there is no search.
    if splitsSteps && width > 1 { costs.perWaiting += .nanoseconds(250) }
    guard carrier == .jobQueue else { return costs }
    let keeper: JobKeeper = options.choice(.persister)
    return keeper.adding(to: costs)
  }

  /// The number of jobs that a job queue holds from earlier runs; 0 without a persister.
  public var keptJobs: Int {
    let isKept = options[.persister] != StrategyOption.persister.standard
    return carrier == .jobQueue && isKept ? options.count(.kept) : 0
  }

  /// Whether its own thread restores the jobs; otherwise the main thread does.
  public var restoresInBackground: Bool {
    guard carrier == .jobQueue else { return false }
    let restoring: JobRestoring = options.choice(.restore)
    return restoring == .background
  }
}

extension JobKeeper {
  /// The costs of storing an added job, removing a finished one, and reading a restored one, as measured by `Benchmarks jobs`.
  fileprivate func adding(to costs: HandOffCosts) -> HandOffCosts {
    var costs = costs
    switch self {
    case .none: break
    case .file:
      costs.post += .microseconds(900)
      costs.run += .microseconds(900)
      costs.perWaiting += .nanoseconds(3200)
      costs.perRestoredJob = .microseconds(18)
    case .sqlite:
      costs.post += .microseconds(14)
      costs.run += .microseconds(14)
      costs.perRestoredJob = .microseconds(13)
    }
    return costs
  }
}
