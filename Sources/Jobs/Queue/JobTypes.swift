/// Which code does which type of job.
///
/// ```swift
/// var types = JobTypes()
/// types.register("upload", formerly: ["UploadPhoto"]) { (photo: Photo, run) in
///   try uploader.send(photo.file, isCancelled: { run.isCancelled })
/// }
/// ```
///
/// A kept job names its type by a text that the app chooses, not by a Swift type: those can be renamed. A text that
/// was changed stays known as a former one.
public struct JobTypes: Sendable {
  typealias Code = @Sendable (JobRun, @escaping JobCompletion) -> Void
  private var codes: [String: Code] = [:]

  /// No types; `register` adds them.
  public init() {}

  var names: [String] { codes.keys.sorted() }

  subscript(type: String) -> Code? { codes[type] }

  /// Registers code that returns once the job is done, and throws if it has failed.
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

  /// Registers code that only starts the job. Whoever ends it calls the completion, from any thread; calling it again
  /// has no effect.
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

/// Tells a queue how a run of a job ended.
public typealias JobCompletion = @Sendable (JobOutcome) -> Void
