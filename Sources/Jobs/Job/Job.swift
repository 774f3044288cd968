internal import Foundation

/// A piece of work to be done once or repeatedly: a type that the app has registered, parameters, and when it may run.
///
/// ```swift
/// var job = try Job("upload", Upload(file: "IMG_0001.jpg"))
/// job.constraints = [.unmeteredNetwork, .charging]
/// job.retry = Retry(limit: 5, first: .seconds(2))
/// try queue.add(job)
/// ```
public struct Job: Hashable, Codable, Sendable {
  /// The name under which the app has registered the code that does it.
  public var type: String
  /// What that code needs to know, as JSON.
  public private(set) var parameters: String
  /// No two jobs of a queue have the same.
  public var id: String
  /// What becomes of a job that is there already under this id.
  public var ifPresent: IfPresent
  /// Jobs of one group never run at the same time; without one, a job runs beside any other.
  public var group: String?
  /// By which jobs can be cancelled together.
  public var tags: [String]
  /// It starts once all of them hold.
  public var constraints: [JobConstraint]
  /// How long it waits at least after it was added.
  public var delay: Duration
  /// From then on it is not started any more, but dropped as expired.
  public var deadline: JobTime?
  /// How often, and when, it is tried again after a failure; see the retry's own defaults.
  public var retry: Retry
  /// Nil for a job that runs once.
  public var repetition: Repetition?

  /// What adding a job does whose id another one has that has not ended.
  public enum IfPresent: String, Codable, Sendable {
    /// The new job is refused.
    case refuse
    /// The new job takes its place. One that runs is cancelled, and the new job starts after its end.
    case replace
  }

  /// A job with `parameters`, which are encoded at once.
  public init(_ type: String, _ parameters: some Encodable, id: String? = nil) throws(JobError) {
    do {
      let json = try JSONEncoder().encode(parameters)
      self.init(type, json: String(decoding: json, as: UTF8.self), id: id)
    } catch {
      throw .parameters(type: type, reason: "\(error)")
    }
  }

  /// A job without parameters.
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

  /// Its parameters as the value they were made of.
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
