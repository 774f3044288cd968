internal import HeapModule

/// Decides which job runs when. A value without threads, clock or store.
///
/// The time and the machine's state are inputs. Each change appends its effects on jobs to `events`.
///
/// A waiting job is in one of four places: `sleeping` until it is due (with an alarm), `held` until its constraints hold,
/// `ready` in the order of its sequence number, or `parked` behind a running job with which it shares a group or an id.
/// Heaps keep stale entries of jobs that have moved; code that removes an entry checks it.
struct JobSchedule: Sendable {
  let width: Int
  private(set) var machine: MachineState
  private(set) var events: [JobEvent] = []
  private(set) var runningCount = 0

  private var entries: [Int64: Entry] = [:]
  /// By id: the sequence number of its job, including kept jobs that have not been read yet.
  private var holders: [String: Int64] = [:]
  private var nextSequence: Int64 = 1
  private var ready = Heap<Int64>()
  private var held: Set<Int64> = []
  private var parked: [Exclusion: Heap<Int64>] = [:]
  private var busy: Set<Exclusion> = []
  private var alarms = Heap<Alarm>()
  /// The sequence numbers of kept jobs that have not been read and not been replaced.
  private var expected: Set<Int64> = []
  /// The cancellations during the reading of kept jobs, which apply to those jobs too.
  private var cancelled: [JobSelection] = []

  init(width: Int = 1, machine: MachineState = MachineState()) {
    precondition(width > 0, "at least one job at a time")
    self.width = width
    self.machine = machine
  }

  /// Jobs that are neither running nor over.
  var waitingCount: Int { entries.count - runningCount }

  /// The jobs that are not over, in the order in which they were added.
  var records: [JobRecord] { entries.values.map(\.record).sorted { $0.sequence < $1.sequence } }

  /// Whether a job may be ready to run within the width.
  var hasReady: Bool { runningCount < width && !ready.isEmpty }

  /// The time of the next change that needs no call.
  var nextAlarm: JobTime? { alarms.min?.time }

  mutating func takeEvents() -> [JobEvent] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  // MARK: Adding jobs

  /// The record for inserting `job`, and the sequence number of the job that it replaces.
  mutating func record(
    for job: Job, at now: JobTime
  ) throws(JobError) -> (record: JobRecord, replacing: Int64?) {
    let holder = holders[job.id]
    if holder != nil && job.ifPresent == .refuse { throw .alreadyPresent(id: job.id) }
    defer { nextSequence += 1 }
    return (JobRecord(job, sequence: nextSequence, addedAt: now), holder)
  }

  /// Inserts a new job, and cancels the one that it replaces. Returns the sequence number of that one if it is running.
  @discardableResult
  mutating func insert(_ record: JobRecord, at now: JobTime) -> Int64? {
    var interrupted: Int64?
    if let old = holders[record.job.id] {
      expected.remove(old)
      if cancel(old) { interrupted = old }
    }
    holders[record.job.id] = record.sequence
    events.append(.added(record))
    entries[record.sequence] = Entry(record: record)
    place(record.sequence, at: now)
    return interrupted
  }

  /// Reserves the ids of kept jobs until they are read. New jobs get later sequence numbers.
  mutating func expect(_ kept: [KeptJob]) {
    for job in kept {
      holders[job.id] = job.sequence
      expected.insert(job.sequence)
      nextSequence = max(nextSequence, job.sequence + 1)
    }
  }

  /// Inserts a kept job, unless a new one has replaced it since.
  ///
  /// A job that was unreadable for a while may find a newer one with its id. Both run, one after the other.
  mutating func restore(_ record: JobRecord, at now: JobTime) {
    guard expected.remove(record.sequence) != nil else { return }
    events.append(.restored(record))
    entries[record.sequence] = Entry(record: record)
    if cancelled.contains(where: { $0.includes(record.job) }) {
      cancel(record.sequence)
    } else if record.hasNoStartsLeft {
      drop(record.sequence)
      let reason = "the process ended during each of its \(record.starts) starts"
      events.append(.failed(record, reason: reason))
    } else {
      place(record.sequence, at: now)
    }
  }

  /// Frees the id of a kept job that cannot be read. Returns false if a new job has replaced it since.
  mutating func release(_ kept: KeptJob) -> Bool {
    guard expected.remove(kept.sequence) != nil else { return false }
    if holders[kept.id] == kept.sequence { holders[kept.id] = nil }
    return true
  }

  /// Ends the restoring, after all kept jobs have been read.
  mutating func endRestoring(_ count: Int) {
    cancelled = []
    events.append(.restoredAll(count))
  }

  // MARK: Running jobs

  /// Starts the next job that may run now, if the width allows it.
  mutating func startNext(at now: JobTime) -> JobRecord? {
    advance(to: now)
    while runningCount < width, let sequence = ready.popMin() {
      guard let entry = entries[sequence], entry.phase == .ready else { continue }
      if entry.record.isExpired(at: now) {
        drop(sequence)
        events.append(.expired(entry.record))
      } else if let exclusion = entry.record.exclusions.first(where: busy.contains) {
        entries[sequence]?.phase = .parked
        parked[exclusion, default: Heap()].insert(sequence)
        unpark(entry.record)
      } else if !entry.record.canRun(on: machine) {
        hold(sequence)
        unpark(entry.record)
      } else {
        return start(sequence)
      }
    }
    return nil
  }

  private mutating func start(_ sequence: Int64) -> JobRecord? {
    guard var record = entries[sequence]?.record else { return nil }
    if record.job.maximumStarts != nil { record.starts += 1 }
    entries[sequence] = Entry(record: record, phase: .running)
    runningCount += 1
    busy.formUnion(record.exclusions)
    events.append(.started(record))
    return record
  }

  /// Ends the run of a job: the job is over, or waits for its next run.
  mutating func ended(_ sequence: Int64, _ outcome: JobOutcome, at now: JobTime) {
    guard let entry = entries[sequence], entry.phase == .running else { return }
    runningCount -= 1
    busy.subtract(entry.record.exclusions)
    let next = entry.next(after: outcome, at: now)
    events.append(next.event)
    if let record = next.record {
      entries[sequence] = Entry(record: record)
      place(sequence, at: now)
      unpark(record)
    } else {
      drop(sequence)
    }
  }

  /// Ends the run of a job whose parameters cannot be read, and forgets the job without an event. Returns its record from
  /// before the start; nil if it has been cancelled.
  mutating func removeUnreadable(_ sequence: Int64) -> JobRecord? {
    guard let entry = entries[sequence], entry.phase == .running else { return nil }
    runningCount -= 1
    busy.subtract(entry.record.exclusions)
    drop(sequence)
    if entry.isCancelled {
      events.append(.cancelled(entry.record))
      return nil
    }
    var record = entry.record
    record.starts = max(0, record.starts - 1)
    return record
  }

  // MARK: Cancelling jobs

  /// Cancels the selected jobs. Returns the running ones, which end with their code.
  mutating func cancel(_ selection: JobSelection, isRestoring: Bool) -> [Int64] {
    if isRestoring { cancelled.append(selection) }
    let selected = entries.values.filter { selection.includes($0.record.job) }.map(
      \.record.sequence)
    return selected.sorted().filter { cancel($0) }
  }

  /// Cancels a job. Returns true if it is running.
  @discardableResult
  private mutating func cancel(_ sequence: Int64) -> Bool {
    guard let entry = entries[sequence] else { return false }
    if entry.phase == .running {
      entries[sequence]?.isCancelled = true
      return true
    }
    drop(sequence)
    events.append(.cancelled(entry.record))
    return false
  }

  private mutating func drop(_ sequence: Int64) {
    guard let record = entries.removeValue(forKey: sequence)?.record else { return }
    held.remove(sequence)
    removeStaleEntries(beside: record)
    if holders[record.job.id] == sequence { holders[record.job.id] = nil }
    unpark(record)
  }
}

// The places of waiting jobs.
extension JobSchedule {
  /// Sets the machine's state and checks the constraints of held jobs again.
  mutating func change(_ machine: MachineState, at now: JobTime) {
    self.machine = machine
    for sequence in held.sorted() { place(sequence, at: now) }
  }

  /// Handles all alarms that are due.
  private mutating func advance(to now: JobTime) {
    while let alarm = alarms.min, alarm.time <= now {
      alarms.removeMin()
      guard let entry = entries[alarm.sequence], entry.phase != .running else { continue }
      if entry.record.isExpired(at: now) || entry.phase == .sleeping {
        place(alarm.sequence, at: now)
      }
    }
  }

  /// Puts a job that does not run into its place.
  private mutating func place(_ sequence: Int64, at now: JobTime) {
    guard let record = entries[sequence]?.record else { return }
    if record.isExpired(at: now) {
      drop(sequence)
      events.append(.expired(record))
      return
    }
    if let deadline = record.job.deadline {
      alarms.insert(Alarm(time: deadline, sequence: sequence))
    }
    removeStaleEntries(beside: record)
    if record.due > now {
      entries[sequence]?.phase = .sleeping
      alarms.insert(Alarm(time: record.due, sequence: sequence))
    } else if record.canRun(on: machine) {
      entries[sequence]?.phase = .ready
      held.remove(sequence)
      ready.insert(sequence)
    } else {
      hold(sequence)
    }
  }

  /// The number of entries in the heaps, including stale ones.
  var placeCount: Int { alarms.count + ready.count + parked.values.reduce(0) { $0 + $1.count } }

  /// Removes stale entries when they are the majority of a heap in which `record` waits or waited. Otherwise jobs that are
  /// cancelled or checked repeatedly would leave entries until their time.
  private mutating func removeStaleEntries(beside record: JobRecord) {
    let most = 4 * entries.count + 64
    if alarms.count > most {
      let deadlines = entries.values.compactMap { entry in
        entry.record.job.deadline.map { Alarm(time: $0, sequence: entry.record.sequence) }
      }
      let sleeping = entries.values.filter { $0.phase == .sleeping }.map {
        Alarm(time: $0.record.due, sequence: $0.record.sequence)
      }
      alarms = Heap(deadlines + sleeping)
    }
    if ready.count > most { ready = Heap(Set(ready.unordered).filter { isIn(.ready, $0) }) }
    for exclusion in record.exclusions {
      guard let waiting = parked[exclusion], waiting.count > most else { continue }
      parked[exclusion] = Heap(Set(waiting.unordered).filter { isIn(.parked, $0) })
    }
  }

  private func isIn(_ phase: Entry.Phase, _ sequence: Int64) -> Bool {
    entries[sequence]?.phase == phase
  }

  private mutating func hold(_ sequence: Int64) {
    entries[sequence]?.phase = .held
    held.insert(sequence)
  }

  /// Makes one parked job ready for each exclusion of `record` that is free now.
  private mutating func unpark(_ record: JobRecord) {
    for exclusion in record.exclusions where !busy.contains(exclusion) {
      while let next = parked[exclusion]?.popMin() {
        guard entries[next]?.phase == .parked else { continue }
        entries[next]?.phase = .ready
        ready.insert(next)
        break
      }
      if parked[exclusion]?.isEmpty == true { parked[exclusion] = nil }
    }
  }
}

extension JobSchedule {
  /// A job that is not over.
  struct Entry: Sendable {
    var record: JobRecord
    var phase = Phase.sleeping
    /// Whether it was cancelled while it ran.
    var isCancelled = false

    enum Phase: Sendable { case sleeping, held, ready, parked, running }

    /// The event and the record after a run; the record is nil if the job is over.
    func next(
      after outcome: JobOutcome, at now: JobTime
    ) -> (record: JobRecord?, event: JobEvent) {
      switch outcome {
      case .success:
        var finished = record
        finished.runs += 1
        guard !isCancelled, let next = record.afterSuccess(at: now) else {
          return (nil, .completed(finished))
        }
        return (next, .repeating(next))
      case .failure(let reason, isFinal: true):
        return (nil, isCancelled ? .cancelled(record) : .failed(record, reason: reason))
      case .failure(let reason, isFinal: false):
        return failed(reason, next: record.afterFailure(at: now))
      case .retry(let wait, let reason):
        return failed(reason, next: record.afterFailure(at: now, retryingAfter: wait))
      }
    }

    private func failed(
      _ reason: String, next: JobRecord?
    ) -> (record: JobRecord?, event: JobEvent) {
      if isCancelled { return (nil, .cancelled(record)) }
      guard let next else { return (nil, .failed(record, reason: reason)) }
      return (next, .retrying(next, reason: reason))
    }
  }

  /// A resource that only one running job may have.
  enum Exclusion: Hashable, Sendable {
    case id(String)
    case group(String)
  }

  /// The time at which to check a job again.
  struct Alarm: Hashable, Comparable, Sendable {
    let time: JobTime
    let sequence: Int64

    static func < (left: Self, right: Self) -> Bool {
      (left.time, left.sequence) < (right.time, right.sequence)
    }
  }
}

extension JobRecord {
  /// A job that replaces a running one has the same id, and waits for its end.
  var exclusions: [JobSchedule.Exclusion] {
    if let group = job.group { [.id(job.id), .group(group)] } else { [.id(job.id)] }
  }

  func canRun(on machine: MachineState) -> Bool {
    job.constraints.allSatisfy { $0.holds(in: machine) }
  }
}
