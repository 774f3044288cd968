/// The registered types of jobs, with their code.
///
/// ```swift
/// var types = JobTypes()
/// types.register("upload", formerly: ["UploadPhoto"]) { (photo: Photo, run) in
///   try uploader.send(photo.file, isCancelled: { run.isCancelled })
/// }
/// ```
///
/// A kept job names its type by a text that the app chooses, because Swift types can be renamed. After a change of the text,
/// pass the former one as `formerly`.
public struct JobTypes: Sendable {
  typealias Code = @Sendable (JobRun, @escaping JobCompletion) -> Void
  private var codes: [String: Code] = [:]

  /// Creates an empty registry; `register` adds types.
  public init() {}

  var names: [String] { codes.keys.sorted() }

  subscript(type: String) -> Code? { codes[type] }

  /// Registers code that returns when the job is done, and throws if it failed.
  public mutating func register<Parameters: Decodable & SendableMetatype>(
    _ type: String, formerly: [String] = [],
    _ run: @escaping @Sendable (Parameters, JobRun) throws -> Void
  ) {
    add([type] + formerly) { context, completion in
      do {
        try run(try context.record.job.decodeParameters(as: Parameters.self), context)
        completion(.success)
      } catch {
        completion(JobOutcome(error))
      }
    }
  }

  /// Registers code that only starts the job. Call the completion from any thread to end the job; further calls have no
  /// effect.
  public mutating func register<Parameters: Decodable & SendableMetatype>(
    _ type: String, formerly: [String] = [],
    starting start:
      @escaping @Sendable (Parameters, JobRun, @escaping JobCompletion) throws -> Void
  ) {
    add([type] + formerly) { context, completion in
      do {
        let parameters = try context.record.job.decodeParameters(as: Parameters.self)
        try start(parameters, context, completion)
      } catch {
        completion(JobOutcome(error))
      }
    }
  }

  private mutating func add(_ names: [String], _ code: @escaping Code) {
    for name in names {
      precondition(codes.updateValue(code, forKey: name) == nil, "'\(name)' is registered twice")
    }
  }
}

/// Ends a run of a job with its outcome.
public typealias JobCompletion = @Sendable (JobOutcome) -> Void
