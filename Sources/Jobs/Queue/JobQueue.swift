internal import Concurrency

/// Runs jobs on threads of its own, and keeps those that are not over in a store.
///
/// ```swift
/// let queue = try JobQueue("uploads", types: types, keptBy: SQLitePersister(path: path))
/// try queue.add(job)          // returns once the job is stored: from then on it runs at least once
/// queue.change(machine)       // the network has come back: jobs that waited for it start
/// queue.stop()                // what has not run is there again next time
/// ```
///
/// A job that was accepted survives the end of the process at any moment. It is removed from the store when it is
/// over; if the process dies between the end of its code and that moment, it runs again. So its code must bear to be
/// run twice.
public final class JobQueue: Sendable {
  let types: JobTypes
  let options: JobQueueOptions
  let state: Locked<JobQueueState>
  private let threads = Locked<[PlatformThread]>([])

  /// Opens the store, restores what it holds, and starts running it; throws only if the system refuses a thread.
  ///
  /// The persister keeps the jobs; without one they end with the process. A store belongs to one queue at a time.
  public init(
    _ name: String, types: JobTypes, keptBy persister: sending (any JobPersister)? = nil,
    options: JobQueueOptions = JobQueueOptions()
  ) throws(JobError) {
    self.types = types
    self.options = options
    let store = persister.map { JobStore(persister: $0, serializer: options.serializer) }
    state = Locked(JobQueueState(options, store: store))
    if options.restoring == .onCreatingThread { restore() }
    do {
      for number in 0..<options.width { try startThread(number, of: name) }
    } catch {
      stop()
      throw .noThread(reason: "\(error)")
    }
  }

  // MARK: What its users do

  /// Accepts a job, or throws; when this returns, the job is stored.
  public func add(_ job: Job) throws(JobError) {
    guard types[job.type] != nil else { throw .unknownType(job.type, known: types.names) }
    let size = job.parameters.utf8.count
    if size > options.parameterLimit {
      throw .parametersTooLarge(type: job.type, bytes: size, limit: options.parameterLimit)
    }
    try update { state, now in state.add(job, at: now) }.get()
  }

  /// Drops jobs that have not started, and tells the code of those that run.
  public func cancel(_ selection: JobSelection) {
    update { state, now in state.cancel(selection) }
  }

  /// Tells the queue what the machine offers from now on.
  public func change(_ machine: MachineState) {
    update { state, now in state.schedule.change(machine, at: now) }
  }

  /// How many jobs have been accepted and have not started.
  public var waitingCount: Int { state.withLock { $0.schedule.waitingCount } }

  /// How many jobs have been accepted and are not over.
  public var unfinishedCount: Int {
    state.withLock { $0.schedule.waitingCount + $0.schedule.runningCount }
  }

  /// Starts no further job, and returns when those that run on the queue's threads have ended.
  ///
  /// From a thread that is not one of its own: a job that waits for the end of its queue waits for itself, and stops the
  /// process. Every queue must be stopped; until then its threads keep it alive.
  public func stop(file: StaticString = #fileID, line: UInt = #line) {
    require(
      !threads.withLock { $0.contains(where: \.isCurrent) },
      "a job cannot wait for the end of its queue", file: file, line: line)
    update { state, now in state.isStopped = true }
    state.withLock { $0.parkers }.forEach { $0.unpark() }
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.join() }
    state.withLock { $0.store = nil }
  }

  // MARK: How it works

  /// Changes the state, stores what that has changed, wakes a thread if there is something to run, and tells all.
  @discardableResult
  func update<Result: Sendable>(
    _ change: (inout JobQueueState, JobTime) -> Result
  ) -> Result {
    let now = options.clock()
    let (result, parker) = state.withLock { state in
      let result = change(&state, now)
      state.storeChanges()
      return (result, state.parkerToWake())
    }
    parker?.unpark()
    tell()
    return result
  }

  /// Tells the listeners what has happened, unless another thread is doing so: it then goes on with this.
  private func tell() {
    while let events = state.withLock({ $0.takeUntold() }) {
      for event in events { options.listeners.forEach { $0(event) } }
      state.withLock { $0.isTelling = false }
    }
  }

  private func startThread(_ number: Int, of name: String) throws(ThreadError) {
    let parker = makeParker()
    state.withLock { $0.parkers.append(parker) }
    let thread = try PlatformThread(
      name: options.width == 1 ? name : "\(name)-\(number)",
      nice: options.nice == 0 ? nil : options.nice
    ) {
      if number == 0 && self.options.restoring == .inBackground { self.restore() }
      self.work(parker)
    }
    threads.withLock { $0.append(thread) }
  }
}
