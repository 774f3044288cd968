internal import Foundation

/// Work to do once or repeatedly: a type that the app has registered, its parameters, and the conditions for a run.
///
/// ```swift
/// var job = try Job("upload", Upload(file: "IMG_0001.jpg"))
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

  /// What adding a job does if an unfinished job has the same id.
  public enum IfPresent: String, Codable, Sendable {
    /// The new job is refused.
    case refuse
    /// The new job replaces it. A running job is cancelled, and the new job starts after its end.
    case replace
  }

  /// Creates a job with `parameters`, which are encoded at once.
  public init(_ type: String, _ parameters: some Encodable, id: String? = nil) throws(JobError) {
    do {
      let json = try JSONEncoder().encode(parameters)
      self.init(type, json: String(decoding: json, as: UTF8.self), id: id)
    } catch {
      throw .parameters(type: type, reason: "\(error)")
    }
  }

  /// Creates a job without parameters.
  public init(_ type: String, id: String? = nil) { self.init(type, json: "{}", id: id) }

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
  /// The time from the end of a run to the earliest begin of the next one.
  public var every: Duration
  /// The total number of runs; nil until the job is cancelled.
  public var maximumRuns: Int?

  /// - Parameters:
  ///   - every: the time from the end of a run to the earliest begin of the next one; not negative.
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

  /// The record of a new job: never run, and due at once or after its delay.
  public init(_ job: Job, sequence: Int64, addedAt now: JobTime) {
    self.job = job
    self.sequence = sequence
    due = now + job.delay
  }

  func isExpired(at now: JobTime) -> Bool {
    if let deadline = job.deadline { now >= deadline } else { false }
  }

  /// The record after a success; nil if the job is over.
  func afterSuccess(at now: JobTime) -> JobRecord? {
    var next = self
    next.runs += 1
    next.failures = 0
    guard let repetition = job.repetition, next.runs < repetition.maximumRuns ?? .max else {
      return nil
    }
    next.due = now + repetition.every
    return next
  }

  /// The record after a failure; nil if the job is not retried.
  func afterFailure(at now: JobTime) -> JobRecord? {
    guard failures < job.retry.limit else { return nil }
    var next = self
    next.failures += 1
    next.due = now + job.retry.wait(afterFailures: next.failures)
    return next
  }
}
