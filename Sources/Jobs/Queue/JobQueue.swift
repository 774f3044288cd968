internal import Concurrency

/// Runs jobs on its own threads, and keeps unfinished jobs in a store.
///
/// ```swift
/// let queue = try JobQueue("uploads", types: types, keptBy: SQLitePersister(path: path))
/// try queue.add(job)          // returns once the job is stored: from then on it runs at least once
/// queue.change(machine)       // the network has come back: jobs that waited for it start
/// queue.stop()                // jobs that have not run are restored next time
/// ```
///
/// An accepted job survives the end of the process at any moment. It is removed from the store when it is over. If the
/// process dies between the end of the job's code and that moment, the job runs again, so its code must tolerate a second
/// run.
public final class JobQueue: Sendable {
  let types: JobTypes
  let options: JobQueueOptions
  let state: Locked<JobQueueState>
  private let threads = Locked<[PlatformThread]>([])
  private let ended = EndLatch()

  /// Opens the store, restores its jobs, and starts running them. Throws only if the system refuses a thread.
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

  // MARK: Using the queue

  /// Accepts a job, or throws. When this returns, the job is stored.
  public func add(_ job: Job) throws(JobError) {
    guard types[job.type] != nil else { throw .unknownType(job.type, known: types.names) }
    let size = job.parameters.utf8.count
    if size > options.parameterLimit {
      throw .parametersTooLarge(type: job.type, bytes: size, limit: options.parameterLimit)
    }
    try update { state, now in state.add(job, at: now) }.get()
  }

  /// Drops selected jobs that have not started, and sets `isCancelled` for the runs of the others.
  public func cancel(_ selection: JobSelection) {
    update { state, now in state.cancel(selection) }
  }

  /// Sets the state of the machine.
  public func change(_ machine: MachineState) {
    update { state, now in state.schedule.change(machine, at: now) }
  }

  /// The number of accepted jobs that have not started.
  public var waitingCount: Int { state.withLock { $0.schedule.waitingCount } }

  /// The number of accepted jobs that are not over.
  public var unfinishedCount: Int {
    state.withLock { $0.schedule.waitingCount + $0.schedule.runningCount }
  }

  /// Starts no further job, and returns when the jobs on the queue's threads have ended.
  ///
  /// Do not call it from a job: the job would wait for itself, so the call stops the process. Every queue must be stopped;
  /// until then its threads keep it alive.
  public func stop(file: StaticString = #fileID, line: UInt = #line) {
    require(
      !threads.withLock { $0.contains(where: \.isCurrent) },
      "a job cannot wait for the end of its queue", file: file, line: line)
    beginStop()
    ended.waitBlocking()
    close()
  }

  /// Starts no further job, and returns at once; running jobs continue to their end. Also callable from a job.
  ///
  /// The store is open until `stop` or `untilStopped` has returned.
  public func beginStop() {
    update { state, now in state.isStopped = true }
    let (parkers, threads) = state.withLock { ($0.parkers, $0.threadCount) }
    for parker in parkers { parker.unpark() }
    if threads == 0 { ended.open() }
  }

  /// The same as `stop` for tasks, without blocking a thread.
  ///
  /// A task that a job waits for must not await this.
  public func untilStopped() async {
    beginStop()
    await ended.wait()
    close()
  }

  /// Joins the threads, releases the store, and ends the event streams.
  private func close() {
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.join() }
    let streams = state.withLock { $0.close() }
    for stream in streams { stream.finish() }
  }

  /// The events of the queue, in order, as an alternative to listeners: from the next event to the end of the queue by `stop`
  /// or `untilStopped`.
  ///
  /// ```swift
  /// for await event in queue.events() {
  ///   if case .failed(let record, let reason) = event { show(record.job, reason) }
  /// }
  /// ```
  ///
  /// - Parameter limit: the number of events that are buffered for a slow reader; beyond it the oldest are lost.
  /// - Returns: a new sequence, for one task.
  public func events(keepingNewest limit: Int = 1000) -> AsyncStream<JobEvent> {
    let (events, stream) = AsyncStream.makeStream(
      of: JobEvent.self, bufferingPolicy: .bufferingNewest(limit))
    if let number = state.withLock({ $0.open(stream) }) {
      stream.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[number] = nil } }
    } else {
      stream.finish()
    }
    return events
  }

  // MARK: Implementation

  /// Changes the state, stores the changes, wakes a thread if a job can run, and calls the listeners.
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

  /// Calls the listeners with new events, unless another thread is doing so, which then continues with these.
  private func tell() {
    while let (events, streams) = state.withLock({ $0.takeUntold() }) {
      for event in events {
        for listener in options.listeners { listener(event) }
        for stream in streams { stream.yield(event) }
      }
      state.withLock { $0.isTelling = false }
    }
  }

  private func startThread(_ number: Int, of name: String) throws(ThreadError) {
    let parker = makeParker()
    state.withLock { state in
      state.parkers.append(parker)
      state.threadCount += 1
    }
    // True until the thread has started.
    var isNew = true
    defer { if isNew { threadEnded() } }
    let thread = try PlatformThread(
      name: options.width == 1 ? name : "\(name)-\(number)",
      nice: options.nice == 0 ? nil : options.nice
    ) {
      if number == 0 && self.options.restoring == .inBackground { self.restore() }
      self.work(parker)
      self.threadEnded()
    }
    isNew = false
    threads.withLock { $0.append(thread) }
  }

  private func threadEnded() {
    let isLast = state.withLock { state in
      state.threadCount -= 1
      return state.threadCount == 0 && state.isStopped
    }
    if isLast { ended.open() }
  }
}
