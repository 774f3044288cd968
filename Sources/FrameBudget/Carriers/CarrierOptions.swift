// What lanes can choose, by carrier, and how it changes what a hand-off costs.

extension StrategyOption {
  /// Of `operation-queue`.
  public static let operations = StrategyOption(
    "operations", default: OperationUnit.item,
    "what becomes an operation: all steps of an item on the lane, or each, after the one before")

  /// Of `ordered`.
  public static let drain = StrategyOption(
    "drain", default: DrainUnit.item,
    "how much of a workload runs before the next workload: an item, or all waiting ones")

  /// Of `ordered`.
  public static let lock = StrategyOption(
    "lock", default: QueueLock.mutex, "what guards a workload's queue, never while an item runs")

  /// Of `bridge`.
  public static let flush = StrategyOption(
    "flush", default: .milliseconds(5), "how often calls are sent to the other side")
  /// Of `job-queue`.
  public static let persister = StrategyOption(
    "persister", default: JobKeeper.none,
    "what keeps jobs: nothing, a file rewritten at each change, or a row each in SQLite")

  /// Of `job-queue`.
  public static let restore = StrategyOption(
    "restore", default: JobRestoring.creating,
    "which thread reads the kept jobs in the first frame: the one that creates the queue, or the queue's"
  )

  /// Of `job-queue`.
  public static let kept = StrategyOption(
    "kept", default: 0, in: 0...100_000,
    "how many jobs of earlier runs the persister holds; they wait for the whole run")
}

/// What keeps the jobs of a job queue.
public enum JobKeeper: String, CaseIterable, Sendable {
  /// Nobody.
  case none
  /// A file that is written anew at each change.
  case file
  /// A database of SQLite.
  case sqlite
}

/// Who reads the jobs that were kept.
public enum JobRestoring: String, CaseIterable, Sendable {
  /// Whoever creates the queue, before anything runs.
  case creating
  /// The queue's own thread.
  case background
}

/// What becomes an operation of an operation queue.
public enum OperationUnit: String, CaseIterable, Sendable {
  /// A whole item.
  case item
  /// One step of it.
  case step
}

/// How much of a workload an ordered lane runs before others have their turn.
public enum DrainUnit: String, CaseIterable, Sendable {
  /// One event at a time.
  case item
  /// All that wait.
  case batch
}

/// What guards the queue of a workload on an ordered lane.
public enum QueueLock: String, CaseIterable, Sendable {
  /// Turns until it is free.
  case spin
  /// The system's mutex.
  case mutex
  /// A mutex that its holder may take again.
  case recursive
}

extension Lane {
  /// Whether each step is an event of its own, which waits for the one before.
  public var splitsSteps: Bool {
    guard carrier == .operationQueue else { return false }
    let unit: OperationUnit = options.choice(.operations)
    return unit == .step
  }

  /// Whether its events run on Dispatch's pool, which has as many threads as there are cores; a serial queue has a thread
  /// of its own, however many there are.
  package var isPooled: Bool {
    switch carrier {
    case .actor, .ordered: true
    case .dispatch, .operationQueue: width > 1
    case .main, .thread, .scheduler, .naive, .actorOnScheduler, .runLoop, .nio, .jobQueue, .bridge,
      .process:
      false
    }
  }

  /// What its options make of `costs`, those of its carrier.
  func changed(_ costs: HandOffCosts) -> HandOffCosts {
    var costs = costs
    if carrier == .bridge { costs.lookEvery = options.timeSpan(.flush) }
    // With places free, the list of waiting operations is walked to its end for one that can start: 34 us at 250 in a
    // chain, 250 us at 2000. One place is taken as long as anything waits, and nothing is walked.
    if splitsSteps && width > 1 { costs.perWaiting += .nanoseconds(250) }
    guard carrier == .jobQueue else { return costs }
    let keeper: JobKeeper = options.choice(.persister)
    return keeper.adding(to: costs)
  }

  /// How many jobs of earlier runs a job queue holds; without a persister, none.
  public var keptJobs: Int {
    let isKept = options[.persister] != StrategyOption.persister.standard
    return carrier == .jobQueue && isKept ? options.count(.kept) : 0
  }

  /// Whether its own thread reads the kept jobs, or else the main thread.
  public var restoresInBackground: Bool {
    guard carrier == .jobQueue else { return false }
    let restoring: JobRestoring = options.choice(.restore)
    return restoring == .background
  }
}

extension JobKeeper {
  /// What is written when a job is added and again when it is over, and read when it is restored: as measured by
  /// `Benchmarks jobs`.
  fileprivate func adding(to costs: HandOffCosts) -> HandOffCosts {
    var costs = costs
    switch self {
    case .none: break
    case .file:
      costs.post += .microseconds(900)
      costs.run += .microseconds(900)
      costs.perWaiting += .nanoseconds(3200)
      costs.perKept = .microseconds(18)
    case .sqlite:
      costs.post += .microseconds(14)
      costs.run += .microseconds(14)
      costs.perKept = .microseconds(13)
    }
    return costs
  }
}
