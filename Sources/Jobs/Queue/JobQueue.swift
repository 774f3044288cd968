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
  private let ended = EndLatch()

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
    beginStop()
    ended.waitBlocking()
    close()
  }

  /// Starts no further job, and returns at once; those that run go on to their end. Also from a job.
  ///
  /// The store is open until `stop` or `untilStopped` has returned.
  public func beginStop() {
    update { state, now in state.isStopped = true }
    let (parkers, threads) = state.withLock { ($0.parkers, $0.threadCount) }
    for parker in parkers { parker.unpark() }
    if threads == 0 { ended.open() }
  }

  /// The same as `stop` for tasks: no thread waits until the jobs that run have ended.
  ///
  /// A task that a job waits for must not await this.
  public func untilStopped() async {
    beginStop()
    await ended.wait()
    close()
  }

  /// Lets go of the threads, which have nothing left to do, of the store, and of those who await what happens.
  private func close() {
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.join() }
    let streams = state.withLock { $0.close() }
    for stream in streams { stream.finish() }
  }

  /// What happens, in its order, for whoever awaits it rather than be called: from the next thing that is told to the end
  /// of the queue, which `stop` and `untilStopped` bring.
  ///
  /// ```swift
  /// for await event in queue.events() {
  ///   if case .failed(let record, let reason) = event { show(record.job, reason) }
  /// }
  /// ```
  ///
  /// - Parameter limit: how many events are kept for one who does not keep up; of more the oldest are lost.
  /// - Returns: a sequence of its own for each call, for one task.
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
    // Until there is a thread.
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
