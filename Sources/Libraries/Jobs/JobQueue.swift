internal import SchedulableThreads
internal import Synchronization

/// Runs jobs on its own threads, and keeps unfinished jobs in a store.
///
/// ```swift
/// let queue = try JobQueue("uploads", types: types, keptBy: SQLitePersister(path: path))
/// try queue.add(job)          // returns once the job is stored: from then on it runs at least once
/// queue.change(machine)       // the network has come back: jobs that waited for it start
/// queue.shutdownBlocking()    // jobs that have not run are restored next time
/// ```
///
/// An accepted job survives the end of the process at any moment. It is removed from the store when it is over. If the
/// process dies between the start of the job's code and that moment, the job runs again, at most ``Job/maximumStarts`` times.
/// So its code must tolerate a second run.
public final class JobQueue: Sendable {
  let types: JobTypes
  let options: JobQueueOptions
  let state: Locked<JobQueueState>
  private let threads = Locked<[PlatformThread]>([])
  private let ended = EndLatch()
  private let observation = Locked<Task<Void, Never>?>(nil)

  /// Opens the store, restores its jobs, and starts running them. Throws only if the system refuses a thread.
  ///
  /// The persister keeps the jobs; without one they end with the process. A store belongs to one queue at a time, in all
  /// processes: a second queue gets the event ``JobEvent/unusable(reason:)`` and accepts no job, with the owner in the reason.
  public init(
    _ name: String, types: JobTypes, keptBy persister: sending (any JobPersister)? = nil,
    options: JobQueueOptions = JobQueueOptions()
  ) throws(JobError) {
    self.types = types
    self.options = options
    let store = persister.map { JobStore(persister: $0, serializer: options.serializer) }
    state = Locked(JobQueueState(options, store: store))
    if let period = options.machineReading { observeMachine(every: period) }
    if options.restoring == .onCreatingThread { restore() }
    do {
      for number in 0..<options.width { try startThread(number, of: name) }
    } catch {
      shutdownBlocking()
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

  /// The accepted jobs that are not over, in the order in which they were added.
  public var jobs: [JobRecord] { state.withLock { $0.schedule.records } }

  /// The jobs that cannot be read, in the order in which they were added. They stay in the store.
  public var unreadableJobs: [UnreadableJob] {
    state.withLock { $0.unreadable.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// Removes an unreadable job, from the store too. Has no effect on a job that has been removed.
  public func remove(_ job: UnreadableJob) throws(JobError) {
    try update { state, now in state.remove(job) }.get()
  }

  /// Starts no further job, and returns when all running jobs have ended and their ends are stored, including jobs whose
  /// completions are called later.
  ///
  /// Tasks use `shutdown`. Do not call it from a job: the job would wait for itself, so the call stops the process. Every queue
  /// must be shut down; until then its threads keep it alive.
  @available(*, noasync, message: "it blocks the thread; await shutdown()")
  public func shutdownBlocking(file: StaticString = #fileID, line: UInt = #line) {
    require(
      !threads.withLock { $0.contains(where: \.isCurrent) },
      "a job cannot wait for the end of its queue", file: file, line: line)
    beginShutdown()
    ended.waitBlocking()
    close()
  }

  /// Starts no further job, and returns at once; running jobs continue to their end. Also callable from a job.
  ///
  /// The store is open until `shutdownBlocking` or `shutdown` has returned.
  public func beginShutdown() {
    update { state, now in state.isStopped = true }
    for parker in state.withLock({ $0.parkers }) { parker.unpark() }
    openIfEnded()
  }

  private func openIfEnded() { if state.withLock({ $0.hasEnded }) { ended.open() } }

  /// The same as `shutdownBlocking` for tasks, without blocking a thread.
  ///
  /// A task that a job waits for must not await this.
  public func shutdown() async {
    beginShutdown()
    await ended.wait()
    close()
  }

  /// Joins the threads, releases the store, and ends the event streams.
  private func close() {
    observation.withLock { $0.take() }?.cancel()
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.join() }
    let streams = state.withLock { $0.close() }
    for stream in streams { stream.finish() }
  }

  /// The events of the queue, in order, as an alternative to listeners: from the next event to the end of the queue by
  /// `shutdownBlocking` or `shutdown`.
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
    deliverEvents()
    return result
  }

  /// Reads network and power now and after each period, until the queue has ended.
  private func observeMachine(every period: Duration) {
    guard readMachine() else { return }
    let task = Task.detached(priority: .utility) { [weak self] in
      while (try? await Task.sleep(for: period)) != nil, self?.readMachine() == true {}
    }
    observation.withLock { $0 = task }
  }

  /// Returns false if this system has no such files.
  private func readMachine() -> Bool {
    guard let reading = options.machineReader.read() else { return false }
    update { state, now in
      var machine = state.schedule.machine
      (machine.network, machine.isCharging) = (reading.network, reading.isCharging)
      if machine != state.schedule.machine { state.schedule.change(machine, at: now) }
    }
    return true
  }

  /// Calls the listeners with new events, unless another thread is doing so, which then continues with these.
  private func deliverEvents() {
    while let (events, streams) = state.withLock({ $0.takeUndelivered() }) {
      for event in events {
        for listener in options.listeners { listener(event) }
        for stream in streams { stream.yield(event) }
      }
      state.withLock { $0.isDelivering = false }
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
    state.withLock { $0.threadCount -= 1 }
    openIfEnded()
  }
}

// The code of the queue's threads.
extension JobQueue {
  /// Runs jobs until the queue is stopped.
  func work(_ parker: any Parker) {
    while true {
      switch update({ state, now in state.next(for: parker, at: now) }) {
      case .run(let run): begin(run)
      case .wait(let time): park(parker, until: time)
      case .end: return
      }
    }
  }

  private func begin(_ run: JobRun) {
    let record = run.record
    guard let code = types[record.job.type] else {
      preconditionFailure("no job is accepted or restored without its code")
    }
    let end = JobEnd { [self] outcome in
      update { state, now in state.ended(run, outcome, at: now) }
      openIfEnded()
    }
    do throws(JobError) {
      try code(run) { end.reach($0) }
    } catch {
      update { state, now in state.setAside(run, because: error) }
      openIfEnded()
    }
  }

  private func park(_ parker: any Parker, until time: JobTime?) {
    guard let time else { return parker.park(forNanoseconds: nil) }
    let (seconds, attoseconds) = max(time - options.clock(), .zero).components
    // Checks the calendar clock at least once a minute, because it can be set.
    let nanoseconds = min(seconds, 60) * 1_000_000_000 + attoseconds / 1_000_000_000
    let longest: Int64 = options.hasOwnClock ? 10_000_000 : .max
    parker.park(forNanoseconds: min(nanoseconds, longest))
  }

  /// Reads the kept jobs. Only opening the store locks the queue; reading the records does not.
  func restore() {
    let kept = update { state, now in state.takeKept() }
    for job in kept {
      let record = Result { try options.serializer.decode(job.text) }
      update { state, now in state.restore(job, as: record, types, at: now) }
    }
    update { state, now in state.endRestoring(kept.count) }
  }
}

/// The options of a queue.
public struct JobQueueOptions: Sendable {
  /// The maximum number of jobs that run at once, including those whose completions are not called yet; at least 1.
  public var width = 1
  /// The nice value of the queue's threads: 0 is the usual priority, 19 the lowest.
  public var nice = 0
  /// The maximum size of a job's parameters, in bytes of JSON.
  public var parameterLimit = 10_240
  /// The thread that reads the store.
  public var restoring = Restoring.inBackground
  /// The state of the machine when the queue is created.
  public var machine = MachineState()
  /// The time from one reading of network and power by the queue to the next; nil if the app reports them by
  /// ``JobQueue/change(_:)``, and on systems other than Linux, where the queue cannot read them. Conditions stay the app's.
  ///
  /// A mobile network counts as metered, and a machine without a battery as charging.
  public var machineReading: Duration?
  var machineReader = MachineReader()
  /// The text format of records in the store.
  public var serializer = JobSerializer.json
  /// Called for each event, one after another, on any thread that changes the queue.
  public var listeners: [@Sendable (JobEvent) -> Void] = []
  /// The clock of delays and deadlines. The queue cannot know when another clock than the default jumps, so it reads it every
  /// 10 ms while a job waits for a time.
  public var clock: @Sendable () -> JobTime = { .now } { didSet { hasOwnClock = true } }
  private(set) var hasOwnClock = false

  /// The defaults: one thread of the usual priority, which restores the jobs before it runs one.
  public init() {}

  /// The thread that reads the kept jobs when a queue is created.
  public enum Restoring: String, CaseIterable, Sendable {
    /// The thread that creates the queue: the initialiser returns when all jobs are restored.
    case onCreatingThread
    /// The queue's own thread, before it runs a job. A caller that adds a job meanwhile waits at most until the store is
    /// open, or opens it.
    case inBackground
  }
}

/// One run of a job, for the job's code.
public final class JobRun: Sendable {
  /// The job as it was when this run began.
  public let record: JobRecord
  private let cancelled = Atomic(false)
  private let task = Locked<Task<Void, Never>?>(nil)

  init(_ record: JobRecord) { self.record = record }

  /// Whether the job was cancelled since it started. Long work should check it regularly, and end early.
  public var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() {
    cancelled.store(true, ordering: .relaxed)
    task.withLock { $0 }?.cancel()
  }

  /// Runs async code in a task, which is cancelled with the job.
  func perform(_ body: @escaping @Sendable () async -> Void) {
    let task = Task { await body() }
    self.task.withLock { $0 = task }
    if isCancelled { task.cancel() }
  }
}

/// The end of a run, which its completion reaches once. A completion that is released without a call has failed the job.
private final class JobEnd: Sendable {
  private let isReached = Atomic(false)
  private let report: @Sendable (JobOutcome) -> Void

  init(_ report: @escaping @Sendable (JobOutcome) -> Void) { self.report = report }

  deinit { reach(.failure(reason: "its code released the completion without calling it")) }

  func reach(_ outcome: JobOutcome) {
    if !isReached.exchange(true, ordering: .relaxed) { report(outcome) }
  }
}

/// The registered types of jobs, with their code.
///
/// ```swift
/// var types = JobTypes()
/// types.register(.upload) { photo, run in
///   try await uploader.send(photo.file)
/// }
/// ```
///
/// What a failure means can depend on the error:
///
/// ```swift
/// types.register(.upload) { error in
///   guard let busy = error as? ServerIsBusy else { return JobOutcome(error) }
///   return .retry(after: busy.retryAfter, reason: "the server is busy")
/// } _: { photo, run in
///   try await uploader.send(photo.file)
/// }
/// ```
public struct JobTypes: Sendable {
  /// Throws only if the parameters cannot be read; nothing has run then.
  typealias Code = @Sendable (JobRun, @escaping JobCompletion) throws(JobError) -> Void
  private var codes: [String: Code] = [:]

  /// Creates an empty registry; `register` adds types.
  public init() {}

  var names: [String] { codes.keys.sorted() }

  subscript(type: String) -> Code? { codes[type] }

  /// Registers code that returns when the job is done, and throws if it failed. It occupies a thread of the queue meanwhile.
  ///
  /// - Parameters:
  ///   - type: the type of the jobs.
  ///   - onError: the outcome of a run whose code threw this error; by default a failure.
  ///   - run: the code.
  public mutating func register<Parameters: Decodable & SendableMetatype>(
    _ type: JobType<Parameters>,
    onError: @escaping @Sendable (any Error) -> JobOutcome = { JobOutcome($0) },
    _ run: @escaping @Sendable (Parameters, JobRun) throws -> Void
  ) {
    add(type, onError) { parameters, context, completion in
      try run(parameters, context)
      completion(.success)
    }
  }

  /// Registers async code, which runs in a task of its own: at most ``JobQueueOptions/width`` at once, like any job, and
  /// without a thread while it waits. The task is cancelled if the job is.
  ///
  /// - Parameters:
  ///   - type: the type of the jobs.
  ///   - onError: the outcome of a run whose code threw this error; by default a failure.
  ///   - run: the code.
  public mutating func register<Parameters: Decodable & Sendable>(
    _ type: JobType<Parameters>,
    onError: @escaping @Sendable (any Error) -> JobOutcome = { JobOutcome($0) },
    _ run: @escaping @Sendable (Parameters, JobRun) async throws -> Void
  ) {
    add(type, onError) { parameters, context, completion in
      context.perform {
        do {
          try await run(parameters, context)
          completion(.success)
        } catch {
          completion(onError(error))
        }
      }
    }
  }

  /// Registers code that only starts the job. Call the completion from any thread to end the job; further calls have no
  /// effect. A completion that is released without a call fails the job, because the job would occupy its place for ever.
  ///
  /// - Parameters:
  ///   - type: the type of the jobs.
  ///   - onError: the outcome of a run whose code threw this error; by default a failure.
  ///   - start: the code.
  public mutating func register<Parameters: Decodable & SendableMetatype>(
    _ type: JobType<Parameters>,
    onError: @escaping @Sendable (any Error) -> JobOutcome = { JobOutcome($0) },
    starting start:
      @escaping @Sendable (Parameters, JobRun, @escaping JobCompletion) throws -> Void
  ) {
    add(type, onError, start)
  }

  private mutating func add<Parameters: Decodable & SendableMetatype>(
    _ type: JobType<Parameters>, _ onError: @escaping @Sendable (any Error) -> JobOutcome,
    _ start: @escaping @Sendable (Parameters, JobRun, @escaping JobCompletion) throws -> Void
  ) {
    let code: Code = { context, completion throws(JobError) in
      let parameters = try context.record.job.decodeParameters(as: Parameters.self)
      do {
        try start(parameters, context, completion)
      } catch {
        completion(onError(error))
      }
    }
    for name in [type.name] + type.formerly {
      precondition(codes.updateValue(code, forKey: name) == nil, "'\(name)' is registered twice")
    }
  }
}

/// Ends a run of a job with its outcome.
public typealias JobCompletion = @Sendable (JobOutcome) -> Void
