/// Why a measurement came to nothing: in which test, and what can be done.
public struct MeasurementError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The test that measured, as its function is called.
  public let test: String
  /// What was wrong.
  public let reason: Reason

  /// What was wrong.
  public enum Reason: Hashable, Sendable {
    /// The main actor ran nothing of the measurement for so many seconds: nobody serves it.
    case noMainActor(seconds: Double)
    /// A closure kept the main thread for so many seconds, and still does.
    case mainThreadBlocked(workload: String, item: Int, seconds: Double)
    /// So many items of a workload, the first of them this one, were not done so many seconds after the last frame.
    case neverEnded(workload: String, item: Int, count: Int, seconds: Double)
    /// A closure threw; what it threw, as a text.
    case failed(workload: String, item: Int, error: String)
    /// The task that measured was cancelled.
    case cancelled
    /// A `FrameRecorder` records this process, and the main actor can be watched by one at a time.
    case isRecorded
    /// A workload's name has other characters than letters, digits, `-` and `_`, or more than 40.
    case badName(String)
    /// Two workloads have the same name, or one has that of undeclared work.
    case sameName(String)
    /// A workload's items come in batches of none, or at no positive distance.
    case badArrival(String)
    /// There is no workload at all and nothing to draw.
    case nothingToMeasure
    /// `frame` was called twice, or beside a stated drawing time.
    case twoDrawings
    /// The duration is not from 100 ms to an hour.
    case badDuration
    /// There is no metric of that name; a suggestion.
    case unknownMetric(String, suggestion: String)
    /// A file could not be read or written; why.
    case file(String, problem: String)
    /// There is no baseline at that path.
    case noBaseline(String)
    /// The baseline is of another machine, or another kind of build; both.
    case otherMachine(baseline: String, here: String)
  }

  init(_ reason: Reason, test: String) {
    self.test = test
    self.reason = reason
  }

  /// The test, what is wrong, and what can be done about it.
  public var description: String { "\(test): \(reason.sentence)" }
}

extension MeasurementError.Reason {
  var sentence: String {
    switch self {
    case .noMainActor(let seconds):
      "nobody served the main actor for \(seconds) s; is the main thread blocked, by a semaphore or a synchronous test "
        + "that waits? Make the test async, and let nothing wait on the main thread"
    case .mainThreadBlocked(let workload, let item, let seconds):
      "item \(item) of '\(workload)' has kept the main thread for \(seconds) s without a pause; what waits there has to be "
        + "awaited, what computes has to leave the main actor. A larger 'patience' waits longer"
    case .neverEnded(let workload, let item, let count, let seconds):
      "\(count) \(count == 1 ? "item" : "items") of '\(workload)', the first of them \(item), had not returned \(seconds) s "
        + "after the last frame; does the closure await something that never comes? A larger 'patience' waits longer"
    case .failed(let workload, let item, let error):
      "item \(item) of '\(workload)' threw \(error); catch in the closure what belongs to the measurement"
    case .cancelled: "the task that measured was cancelled"
    case .isRecorded: "a FrameRecorder records this process; stop it before a measurement"
    case .badName(let name):
      "'\(name)' is no name of a workload; allowed are 1 to 40 letters, digits, - and _"
    case .sameName(let name): "two workloads are called '\(name)'; give one another name"
    case .badArrival(let name):
      "the items of '\(name)' cannot come like that; at least one at a time, at distances above zero"
    case .nothingToMeasure:
      "there is neither a workload nor something to draw; add one with app.workload"
    case .twoDrawings:
      "drawing is said twice; either state its time (drawing:) or give one closure (app.frame)"
    case .badDuration: "a measurement lasts from 100 ms to an hour"
    case .unknownMetric(let name, let suggestion): "'\(name)' is not a metric\(suggestion)"
    case .file(let path, let problem): "\(path): \(problem)"
    case .noBaseline(let path):
      "there is no baseline \(path); run the test with FRAMEBUDGET_UPDATE_BASELINE=1 to write it"
    case .otherMachine(let baseline, let here):
      "the baseline is of another machine or build (\(baseline)) than this one (\(here)), and times are not comparable; "
        + "keep one for each, or write it anew with FRAMEBUDGET_UPDATE_BASELINE=1"
    }
  }
}
