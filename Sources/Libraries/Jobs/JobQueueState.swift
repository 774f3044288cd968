internal import SchedulableThreads

/// The mutable state of a queue, behind its lock.
struct JobQueueState {
  var schedule: JobSchedule
  var store: JobStore?
  var isStopped = false
  /// Whether a thread is calling the listeners.
  var isDelivering = false
  /// The number of threads that have not ended.
  var threadCount = 0
  /// The open event streams, by number.
  var streams: [Int: AsyncStream<JobEvent>.Continuation] = [:]
  private var streamCount = 0
  private var isClosed = false
  /// All threads of the queue, and the idle ones.
  var parkers: [any Parker] = []
  private var idle: [IdleThread] = []
  private var isOpen = false
  /// The kept jobs of the store that have not been read yet.
  private var kept: [KeptJob] = []
  private var isRestoring = true
  private var runs: [Int64: JobRun] = [:]
  /// The jobs that could not be read, by sequence number.
  private(set) var unreadable: [Int64: UnreadableJob] = [:]
  /// Why the store could not be opened.
  private var unusable: String?
  private var undelivered: [JobEvent] = []
  private let hasListeners: Bool
  private let serializer: JobSerializer

  init(_ options: JobQueueOptions, store: JobStore?) {
    serializer = options.serializer
    schedule = JobSchedule(width: options.width, machine: options.machine)
    self.store = store
    hasListeners = !options.listeners.isEmpty
  }

  /// An idle thread, and the time at which it checks again by itself.
  private struct IdleThread {
    let parker: any Parker
    let until: JobTime
  }

  enum Task {
    case run(JobRun)
    case wait(until: JobTime?)
    case end
  }

  // MARK: Jobs

  mutating func add(_ job: Job, at now: JobTime) -> Result<Void, JobError> {
    if isStopped { return .failure(.stopped) }
    openStore()
    do throws(JobError) {
      if let unusable { throw .notKept(id: job.id, reason: unusable) }
      let (record, replaced) = try schedule.record(for: job, at: now)
      try store?.keep(record, insteadOf: replaced)
      // In a variable, because as an argument it would copy the whole state for the call.
      let interrupted = schedule.insert(record, at: now)
      if let interrupted { interrupt([interrupted]) }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  mutating func cancel(_ selection: JobSelection) {
    let running = schedule.cancel(selection, isRestoring: isRestoring)
    interrupt(running)
    // Removed now, so that they stay cancelled even if the process dies before their code has ended.
    if !running.isEmpty { attempt { try $0.persister.change(keeping: [], removing: running) } }
  }

  private func interrupt(_ running: [Int64]) {
    for sequence in running { runs[sequence]?.cancel() }
  }

  mutating func ended(_ run: JobRun, _ outcome: JobOutcome, at now: JobTime) {
    let sequence = run.record.sequence
    // A second call of a completion, perhaps during a later run, has no effect.
    guard runs[sequence] === run else { return }
    runs[sequence] = nil
    schedule.ended(sequence, outcome, at: now)
  }

  /// Whether no job runs or will run any more.
  var hasEnded: Bool { isStopped && threadCount == 0 && runs.isEmpty }

  // MARK: Threads

  /// The next task of a thread.
  mutating func next(for parker: any Parker, at now: JobTime) -> Task {
    idle.removeAll { $0.parker === parker }
    if isStopped { return .end }
    if !isRestoring, let record = schedule.startNext(at: now) {
      let run = JobRun(record)
      runs[record.sequence] = run
      return .run(run)
    }
    let alarm = isRestoring ? nil : schedule.nextAlarm
    idle.append(IdleThread(parker: parker, until: alarm ?? JobTime(milliseconds: .max)))
    return .wait(until: alarm)
  }

  /// An idle thread to wake, if a job can run, or if an alarm is earlier than every idle thread's next check.
  mutating func parkerToWake() -> (any Parker)? {
    if isRestoring { return nil }
    if schedule.hasReady { return idle.popLast()?.parker }
    guard let alarm = schedule.nextAlarm, !idle.contains(where: { $0.until <= alarm }) else {
      return nil
    }
    return idle.popLast()?.parker
  }

  // MARK: The store

  /// Opens the store, unless it is open. Nothing can be stored before.
  private mutating func openStore() {
    guard let store, !isOpen else { return }
    isOpen = true
    do {
      let found = try store.persister.load()
      if let aside = found.setAside {
        note(.setAside(path: aside.path, reason: aside.reason))
      }
      kept = found.jobs
      schedule.expect(kept)
    } catch {
      unusable = "\(error)"
      note(.unusable(reason: "\(error)"))
    }
  }

  /// Removes and returns the kept jobs of the opened store.
  mutating func takeKept() -> [KeptJob] {
    openStore()
    defer { kept = [] }
    return kept
  }

  mutating func restore(
    _ kept: KeptJob, as record: Result<JobRecord, any Error>, _ types: JobTypes, at now: JobTime
  ) {
    do {
      let record = try record.get()
      guard types[record.job.type] != nil else {
        throw JobError.unknownType(record.job.type, known: types.names)
      }
      schedule.restore(record, at: now)
    } catch {
      guard schedule.release(kept) else { return }
      report(UnreadableJob(kept, reason: "\(error)"))
    }
  }

  /// Sets a running job aside whose parameters do not fit its code. It stays in the store as it was before its start.
  mutating func setAside(_ run: JobRun, because error: any Error) {
    let sequence = run.record.sequence
    guard runs[sequence] === run else { return }
    runs[sequence] = nil
    guard let record = schedule.removeUnreadable(sequence) else { return }
    attempt { try $0.keepAgain(record) }
    let text = (try? serializer.encode(record)) ?? ""
    let kept = KeptJob(sequence: sequence, id: record.job.id, text: text)
    report(UnreadableJob(kept, reason: "\(error)"))
  }

  private mutating func report(_ job: UnreadableJob) {
    unreadable[job.kept.sequence] = job
    note(.unreadable(id: job.id, reason: job.reason))
  }

  /// Removes an unreadable job, from the store too.
  mutating func remove(_ job: UnreadableJob) -> Result<Void, JobError> {
    if isClosed { return .failure(.stopped) }
    guard unreadable[job.kept.sequence] == job else { return .success(()) }
    do {
      try store?.persister.change(keeping: [], removing: [job.kept.sequence])
      unreadable[job.kept.sequence] = nil
      return .success(())
    } catch {
      return .failure(.notRemoved(id: job.id, reason: "\(error)"))
    }
  }

  mutating func endRestoring(_ count: Int) {
    isRestoring = false
    schedule.endRestoring(count)
  }

  /// Stores the changes of the schedule's events, and keeps the events for the listeners.
  mutating func storeChanges() {
    let events = schedule.takeEvents()
    if events.isEmpty { return }
    attempt { try $0.apply(events) }
    for event in events { note(event) }
  }

  private mutating func attempt(_ change: (JobStore) throws -> Void) {
    guard let store else { return }
    do { try change(store) } catch { note(.notStored(reason: "\(error)")) }
  }

  private mutating func note(_ event: JobEvent) {
    if hasListeners || !streams.isEmpty { undelivered.append(event) }
  }

  /// The undelivered events and their streams; nil if there are none, or if another thread is delivering.
  mutating func takeUndelivered() -> ([JobEvent], [AsyncStream<JobEvent>.Continuation])? {
    guard !isDelivering, !undelivered.isEmpty else { return nil }
    isDelivering = true
    defer { undelivered = [] }
    return (undelivered, Array(streams.values))
  }

  /// Adds `stream` to the receivers of events and returns its number; nil if the queue has ended.
  mutating func open(_ stream: AsyncStream<JobEvent>.Continuation) -> Int? {
    if isClosed { return nil }
    streamCount += 1
    streams[streamCount] = stream
    return streamCount
  }

  /// Releases the store, and returns the open event streams.
  mutating func close() -> [AsyncStream<JobEvent>.Continuation] {
    (store, isClosed) = (nil, true)
    defer { streams = [:] }
    return Array(streams.values)
  }
}
