internal import Foundation
/// Work to do once or repeatedly: a type that the app has registered, its parameters, and the conditions for a run.
///
/// ```swift
/// var job = try Job(.upload, Photo(file: "IMG_0001.jpg"))
/// job.constraints = [.unmeteredNetwork, .charging]
/// job.retry = Retry(limit: 5, first: .seconds(2))
/// try queue.add(job)
/// ```
public struct Job: Hashable, Codable, Sendable {
  /// The name under which the app has registered the job's code.
  public var type: String
  /// The parameters of that code, as JSON.
  public private(set) var parameters: String
  /// The id, unique within a queue.
  public var id: String
  /// What to do if the queue has a job with this id.
  public var ifPresent: IfPresent
  /// Jobs of one group never run at the same time. A job without a group runs beside any other.
  public var group: String?
  /// Tags for cancelling jobs together.
  public var tags: [String]
  /// The constraints that must all hold for the job to start.
  public var constraints: [JobConstraint]
  /// The minimum wait after the job was added.
  public var delay: Duration
  /// The time from which the job is not started any more, but dropped as expired.
  public var deadline: JobTime?
  /// The number and the times of retries after a failure.
  public var retry: Retry
  /// The repetition; nil for a job that runs once.
  public var repetition: Repetition?
  /// How often the job may start without an outcome, because the process ended during the run; at least 1.
  ///
  /// Then the job has failed: a job that crashes the process does not crash it at each start of the app. Each start is stored
  /// before the job's code runs. With nil there is no limit, and starts are not stored.
  public var maximumStarts: Int? = 5 {
    didSet { precondition(maximumStarts ?? 1 > 0, "at least one start") }
  }

  /// What adding a job does if an unfinished job has the same id.
  public enum IfPresent: String, Codable, Sendable {
    /// The new job is refused.
    case refuse
    /// The new job replaces it. A running job is cancelled, and the new job starts after its end.
    case replace
  }

  /// Creates a job with `parameters`, which are encoded at once.
  public init<Parameters: Encodable>(
    _ type: JobType<Parameters>, _ parameters: Parameters, id: String? = nil
  ) throws(JobError) {
    do {
      let json = try JSONEncoder().encode(parameters)
      self.init(type.name, json: String(decoding: json, as: UTF8.self), id: id)
    } catch {
      throw .parameters(type: type.name, reason: "\(error)")
    }
  }

  /// Creates a job without parameters.
  public init(_ type: JobType<NoParameters>, id: String? = nil) {
    self.init(type.name, json: "{}", id: id)
  }

  private init(_ type: String, json: String, id: String?) {
    self.type = type
    self.id = id ?? UUID().uuidString
    parameters = json
    ifPresent = .refuse
    tags = []
    constraints = []
    delay = .zero
    retry = .never
  }

  /// The decoded parameters.
  func decodeParameters<Parameters: Decodable>(
    as type: Parameters.Type
  ) throws(JobError) -> Parameters {
    do {
      return try JSONDecoder().decode(type, from: Data(parameters.utf8))
    } catch {
      throw .parameters(type: self.type, reason: "\(error)")
    }
  }
}

/// A type of jobs: the name in the store, and the type of the parameters.
///
/// ```swift
/// extension JobType<Photo> {
///   static var upload: Self { JobType("upload", formerly: ["UploadPhoto"]) }
/// }
/// ```
///
/// The compiler then checks that a job has the parameters that its code takes. A literal is a type, too:
/// `Job("upload", photo)`; only the code that reads it sees whether the parameters fit.
public struct JobType<Parameters>: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name under which kept jobs of this type are stored. The app chooses it, because Swift types can be renamed.
  public let name: String
  /// The names that jobs of this type had in earlier versions of the app.
  public let formerly: [String]

  /// - Parameters:
  ///   - name: the name in the store.
  ///   - formerly: its names in earlier versions of the app, which may still be in the store.
  public init(_ name: String, formerly: [String] = []) {
    self.name = name
    self.formerly = formerly
  }

  public init(stringLiteral name: String) { self.init(name) }
}

/// The parameters of a type of jobs that has none.
public struct NoParameters: Codable, Sendable {}

/// A condition for the start of a job.
public enum JobConstraint: Hashable, Codable, Sendable {
  /// A network, metered or not.
  case network
  /// An unmetered network.
  case unmeteredNetwork
  /// External power.
  case charging
  /// A condition of the app, by name.
  case condition(String)

  /// Whether the constraint holds for this state of the machine.
  public func holds(in machine: MachineState) -> Bool {
    switch self {
    case .network: machine.network != .none
    case .unmeteredNetwork: machine.network == .unmetered
    case .charging: machine.isCharging
    case .condition(let name): machine.conditions.contains(name)
    }
  }
}

/// The state of the machine that constraints of jobs depend on.
///
/// It is an input: the owner of the queue observes the machine, and passes each change to the queue.
public struct MachineState: Hashable, Sendable {
  /// The network connection.
  public var network: Network
  /// Whether the machine has external power.
  public var isCharging: Bool
  /// The names of the app's conditions that hold.
  public var conditions: Set<String>

  /// Creates a state. By default the machine has an unmetered network, no external power, and no condition holds.
  public init(
    network: Network = .unmetered, isCharging: Bool = false, conditions: Set<String> = []
  ) {
    self.network = network
    self.isCharging = isCharging
    self.conditions = conditions
  }

  /// The network connection of a machine.
  public enum Network: String, Codable, CaseIterable, Sendable {
    /// No network.
    case none
    /// A network with a price per byte.
    case metered
    /// A network without a price per byte.
    case unmetered
  }
}

/// A selection of jobs.
public enum JobSelection: Hashable, Sendable {
  /// The job with this id.
  case id(String)
  /// All jobs with this tag.
  case tag(String)
  /// All jobs of this group.
  case group(String)
  /// All jobs of the queue.
  case all

  func includes(_ job: Job) -> Bool {
    switch self {
    case .id(let id): job.id == id
    case .tag(let tag): job.tags.contains(tag)
    case .group(let group): job.group == group
    case .all: true
    }
  }
}

/// The repetition of a job after a success.
public struct Repetition: Hashable, Codable, Sendable {
  /// The time from the end of a run to the earliest start of the next one.
  public var every: Duration
  /// The total number of runs; nil until the job is cancelled.
  public var maximumRuns: Int?

  /// - Parameters:
  ///   - every: the time from the end of a run to the earliest start of the next one; not negative.
  ///   - maximumRuns: the total number of runs, at least 1; nil until the job is cancelled.
  public init(every: Duration, maximumRuns: Int? = nil) {
    precondition(every >= .zero && maximumRuns ?? 1 > 0, "at least one run")
    self.every = every
    self.maximumRuns = maximumRuns
  }
}

/// The number of retries of a failed job, and the waits before them.
public struct Retry: Hashable, Codable, Sendable {
  /// The number of retries.
  public var limit: Int
  /// The wait before the first retry; each further wait is twice as long.
  public var first: Duration
  /// The longest wait.
  public var longest: Duration

  /// - Parameters:
  ///   - limit: the number of retries; not negative.
  ///   - first: the wait before the first retry; each further wait is twice as long.
  ///   - longest: the longest wait; not shorter than the first.
  public init(limit: Int, first: Duration = .seconds(1), longest: Duration = .seconds(3600)) {
    precondition(limit >= 0 && first >= .zero && longest >= first, "waits that grow")
    self.limit = limit
    self.first = first
    self.longest = longest
  }

  /// No retries.
  public static let never = Retry(limit: 0)

  /// The wait after this number of consecutive failures, from 1: first × 2^(failures − 1), at most the longest.
  public func wait(afterFailures failures: Int) -> Duration {
    var wait = first
    for _ in 1..<max(failures, 1) where wait < longest { wait *= 2 }
    return min(wait, longest)
  }
}

/// A job that a queue has accepted, with its state.
public struct JobRecord: Hashable, Codable, Sendable {
  /// The job that was added.
  public let job: Job
  /// The job's place in the order in which jobs were added.
  public let sequence: Int64
  /// The earliest time for the next start.
  public internal(set) var due: JobTime
  /// The number of successes.
  public internal(set) var runs = 0
  /// The number of failures since the last success.
  public internal(set) var failures = 0
  // Optional, because records of earlier versions lack it.
  private var startsWithoutOutcome: Int?

  /// The number of starts since the last outcome, including the current run. Only counted if the job has a limit of starts.
  public internal(set) var starts: Int {
    get { startsWithoutOutcome ?? 0 }
    set { startsWithoutOutcome = newValue == 0 ? nil : newValue }
  }

  /// The record of a new job: never run, and due at once or after its delay.
  public init(_ job: Job, sequence: Int64, addedAt now: JobTime) {
    self.job = job
    self.sequence = sequence
    due = now + job.delay
  }

  /// Whether the process ended in as many runs as the job may start.
  var hasNoStartsLeft: Bool {
    if let maximum = job.maximumStarts { starts >= maximum } else { false }
  }

  func isExpired(at now: JobTime) -> Bool {
    if let deadline = job.deadline { now >= deadline } else { false }
  }

  /// The record after a success; nil if the job is over.
  func afterSuccess(at now: JobTime) -> JobRecord? {
    var next = self
    next.runs += 1
    next.failures = 0
    next.starts = 0
    guard let repetition = job.repetition, next.runs < repetition.maximumRuns ?? .max else {
      return nil
    }
    next.due = now + repetition.every
    return next
  }

  /// The record after a failure, to be retried after `wait`, or as the job's ``Retry`` says; nil if the job is not retried.
  func afterFailure(at now: JobTime, retryingAfter wait: Duration? = nil) -> JobRecord? {
    guard failures < job.retry.limit else { return nil }
    var next = self
    next.failures += 1
    next.starts = 0
    next.due = now + (wait ?? job.retry.wait(afterFailures: next.failures))
    return next
  }
}

/// A time on the calendar clock, which also runs between runs of the app, in milliseconds since 1970.
public struct JobTime: Hashable, Comparable, Codable, Sendable {
  /// Milliseconds since 1970-01-01 00:00 UTC.
  public let milliseconds: Int64

  /// - Parameter milliseconds: milliseconds since 1970-01-01 00:00 UTC.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

  /// Adds a duration, clamped to the range of 64 bits; a fraction of a millisecond is rounded up.
  public static func + (time: Self, span: Duration) -> Self {
    let (seconds, attoseconds) = span.components
    let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, tooLarge) = time.milliseconds.addingReportingOverflow(whole &+ fraction)
    if overflow || tooLarge { return JobTime(milliseconds: seconds < 0 ? .min : .max) }
    return JobTime(milliseconds: sum)
  }

  /// The duration from `right` to `left`.
  public static func - (left: Self, right: Self) -> Duration {
    .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds)
  }
}

extension JobTime {
  /// The current time of the system's calendar clock.
  public static var now: JobTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return JobTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

/// A change of a job or of the store. A queue's listeners receive these in order.
public enum JobEvent: Hashable, Sendable {
  /// The job was accepted, and stored if there is a store.
  case added(JobRecord)
  /// The job was restored from an earlier run of the app.
  case restored(JobRecord)
  /// A thread of the queue begins to run the job.
  case started(JobRecord)
  /// The job succeeded, and is over.
  case completed(JobRecord)
  /// The job succeeded, and will run again.
  case repeating(JobRecord)
  /// The job failed, and will be retried.
  case retrying(JobRecord, reason: String)
  /// The job failed, and is over.
  case failed(JobRecord, reason: String)
  /// The job was cancelled, and will not run any more.
  case cancelled(JobRecord)
  /// The job's deadline passed before it could start.
  case expired(JobRecord)

  /// A job cannot be read, its type is not registered, or its parameters do not fit the type's code. It stays in the store, and
  /// in ``JobQueue/unreadableJobs``; its id is free.
  case unreadable(id: String, reason: String)
  /// The store was damaged, was moved to `path`, and starts empty.
  case setAside(path: String, reason: String)
  /// The store cannot be opened, perhaps because another queue has it. Its contents stay, and no job is accepted.
  case unusable(reason: String)
  /// A change could not be stored, so finished jobs may run again in the next run of the app.
  case notStored(reason: String)
  /// All kept jobs, of this number, have been restored.
  case restoredAll(Int)

  /// The job of the event, if any.
  public var record: JobRecord? {
    switch self {
    case .added(let record), .restored(let record), .started(let record), .completed(let record),
      .repeating(let record), .retrying(let record, _), .failed(let record, _),
      .cancelled(let record), .expired(let record):
      record
    case .unreadable, .setAside, .unusable, .notStored, .restoredAll: nil
    }
  }
}

/// The outcome of a run of a job.
public enum JobOutcome: Hashable, Sendable {
  /// The run succeeded.
  case success
  /// The run failed. A final failure is not retried.
  case failure(reason: String, isFinal: Bool = false)
  /// The run failed. If the job has a retry left, it comes after this time, which the job's ``Retry`` does not limit.
  case retry(after: Duration, reason: String)

  /// The outcome of a run whose code threw: a failure, and a final one for ``FinalJobFailure``.
  public init(_ error: any Error) {
    if let final = error as? FinalJobFailure {
      self = .failure(reason: final.reason, isFinal: true)
    } else {
      self = .failure(reason: "\(error)")
    }
  }
}

/// An error for a job's code to throw if a retry would not help.
public struct FinalJobFailure: Error, Hashable, Sendable {
  /// The reason, for people.
  public let reason: String

  /// - Parameter reason: the reason, for people.
  public init(_ reason: String) { self.reason = reason }
}

/// The reason why a job was not accepted or cannot run.
public enum JobError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No type of this name is registered; `known` lists the registered types.
  case unknownType(String, known: [String])
  /// The parameters could not be encoded or decoded.
  case parameters(type: String, reason: String)
  /// The parameters exceed the limit; both sizes are in bytes.
  case parametersTooLarge(type: String, bytes: Int, limit: Int)
  /// The queue has a job with this id, and `IfPresent` is `refuse`.
  case alreadyPresent(id: String)
  /// The store could not keep the job, so it was not added.
  case notKept(id: String, reason: String)
  /// The store could not remove the unreadable job.
  case notRemoved(id: String, reason: String)
  /// The queue has been stopped.
  case stopped
  /// The system refused a thread.
  case noThread(reason: String)

  public var description: String {
    switch self {
    case .unknownType(let type, let known):
      "'\(type)' is not a registered type of job; registered: \(known.joined(separator: ", "))"
    case .parameters(let type, let reason):
      "the parameters of a job '\(type)' cannot be read or written: \(reason)"
    case .parametersTooLarge(let type, let bytes, let limit):
      "the parameters of a job '\(type)' take \(bytes) bytes; allowed: \(limit)"
    case .alreadyPresent(let id): "a job '\(id)' exists already"
    case .notKept(let id, let reason): "the job '\(id)' could not be stored: \(reason)"
    case .notRemoved(let id, let reason): "the job '\(id)' could not be removed: \(reason)"
    case .stopped: "the queue has been stopped"
    case .noThread(let reason): "the queue has no thread: \(reason)"
    }
  }
}
