internal import Foundation

/// Writes jobs to a persister.
struct JobStore {
  let persister: any JobPersister
  let serializer: JobSerializer

  private func kept(_ record: JobRecord) throws -> KeptJob {
    KeptJob(
      sequence: record.sequence, id: record.job.id, text: try serializer.encode(record))
  }

  /// Stores a new job, and removes the one that it replaces.
  func keep(_ record: JobRecord, insteadOf replaced: Int64?) throws(JobError) {
    do {
      try persister.change(keeping: [try kept(record)], removing: replaced.map { [$0] } ?? [])
    } catch {
      throw .notKept(id: record.job.id, reason: "\(error)")
    }
  }

  /// Stores the changes of events.
  func apply(_ events: [JobEvent]) throws {
    var keeping: [KeptJob] = []
    var removing: [Int64] = []
    for event in events {
      switch event {
      case .repeating(let record), .retrying(let record, _): keeping.append(try kept(record))
      case .completed(let record), .failed(let record, _), .cancelled(let record),
        .expired(let record):
        removing.append(record.sequence)
      default: break
      }
    }
    if keeping.isEmpty && removing.isEmpty { return }
    try persister.change(keeping: keeping, removing: removing)
  }
}

/// A store for jobs that survives the end of the process.
///
/// A queue calls its persister under its lock: from one thread at a time, and never from two stores at once.
public protocol JobPersister: AnyObject {
  /// Opens the store and returns its jobs. Called once, before anything else. Must move a damaged store aside.
  func load() throws -> KeptJobs
  /// Adds or rewrites jobs, and removes others by their sequence numbers. If it throws, nothing has changed.
  ///
  /// After it returned, the change survives `kill -9`.
  func change(keeping: [KeptJob], removing: [Int64]) throws
}

/// Converts records to the text that a persister keeps, and back.
public struct JobSerializer: Sendable {
  /// Encodes a record as text of one or several lines, which `decode` turns into the same record.
  public let encode: @Sendable (JobRecord) throws -> String
  /// Decodes such a text; throws if it is invalid.
  public let decode: @Sendable (String) throws -> JobRecord

  /// - Parameters:
  ///   - encode: converts a record to text.
  ///   - decode: converts such a text to a record, or throws.
  public init(
    encode: @escaping @Sendable (JobRecord) throws -> String,
    decode: @escaping @Sendable (String) throws -> JobRecord
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// JSON, with one object for each job.
  public static let json = JobSerializer(
    encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
    decode: { try JSONDecoder().decode(JobRecord.self, from: Data($0.utf8)) })
}

/// A job in a persister's store.
public struct KeptJob: Hashable, Sendable {
  /// The job's place in the order of adding, unique within a store.
  public var sequence: Int64
  /// The job's id.
  public var id: String
  /// The record, encoded by a ``JobSerializer``.
  public var text: String

  /// - Parameters:
  ///   - sequence: the job's place in the order of adding.
  ///   - id: the job's id.
  ///   - text: the encoded record.
  public init(sequence: Int64, id: String, text: String) {
    self.sequence = sequence
    self.id = id
    self.text = text
  }
}

/// The contents of an opened store.
public struct KeptJobs: Hashable, Sendable {
  /// The kept jobs, in the order of their sequence numbers.
  public var jobs: [KeptJob]
  /// The damaged store that was moved aside, if any.
  public var setAside: SetAside?

  /// - Parameters:
  ///   - jobs: the kept jobs, in the order of their sequence numbers.
  ///   - setAside: the damaged store that was moved aside, if any.
  public init(_ jobs: [KeptJob], setAside: SetAside? = nil) {
    self.jobs = jobs
    self.setAside = setAside
  }

  /// A damaged store, which was moved aside so that nothing is lost.
  public struct SetAside: Hashable, Sendable {
    /// The store's new path.
    public var path: String
    /// The damage, for people.
    public var reason: String

    /// - Parameters:
    ///   - path: the store's new path.
    ///   - reason: the damage, for people.
    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }
}
