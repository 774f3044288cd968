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
