/// The reason why an arrangement does not sustain a load.
public enum Overload: Hashable, Sendable {
  /// The number of vsyncs without a new frame, and their main cause.
  case droppedFrames(Int, mostly: Cause)
  /// Items of a workload are left undone; `results` of them are done, and wait for the main thread.
  case backlog(Backlog, of: String, left: Int, results: Int)
  /// The number of late responses.
  case lateResponses(workload: String, count: Int, within: TimeSpan)

  /// The reason why a run's load is too high; nil if it was sustained: no dropped frame, no growing backlog, no unfinished burst,
  /// every response in time.
  public static func of(_ metrics: RunMetrics) -> Overload? {
    if metrics.frames.dropped > 0 {
      return .droppedFrames(metrics.frames.dropped, mostly: metrics.frames.mainCause)
    }
    for log in metrics.log.items {
      if let overload = leftItems(of: log, metrics.log.frames) { return overload }
    }
    for (log, workload) in zip(metrics.log.items, metrics.workloads) {
      if let within = log.respondWithin, let late = workload.items.responsesLate, late > 0 {
        return .lateResponses(workload: log.workload, count: late, within: within)
      }
    }
    return nil
  }

  private static func leftItems(of log: ItemLog, _ frames: FrameLog) -> Overload? {
    let items = ShownItems(log, by: frames.lastVsync, period: frames.refresh.period)
    return items.backlog.map {
      .backlog($0, of: log.workload, left: items.waiting, results: items.resultsWaiting)
    }
  }
}

extension FrameMetrics {
  /// The cause of most dropped frames.
  public var mainCause: Cause {
    Cause.attributionOrder.max { drops(by: $0) < drops(by: $1) } ?? .wakeup
  }
}

extension Overload: CustomStringConvertible {
  /// The kind of limit, as in files.
  public var name: String {
    switch self {
    case .droppedFrames: Metric.droppedFrames.name
    case .backlog(.grows, _, _, _): "growing_backlog"
    case .backlog(.unfinished, _, _, _): "unfinished"
    case .lateResponses: "late_responses"
    }
  }

  public var description: String {
    switch self {
    case .droppedFrames(let count, let cause):
      "\(count) dropped \(count == 1 ? "frame" : "frames"), mostly by \(cause.name)"
    case .backlog(.grows(let from, let to), let workload, _, let results):
      "\(workload)'s backlog grows: at least \(from) wait in the second quarter of its arrivals, \(to) in the last"
        + Self.words(results)
    case .backlog(.unfinished, let workload, let left, let results):
      "\(left) of \(workload) not shown at the end" + Self.words(results)
    case .lateResponses(let workload, let count, let within):
      "\(count) \(count == 1 ? "response" : "responses") of \(workload) later than \(within)"
    }
  }
}

extension Overload {
  private static func words(_ results: Int) -> String {
    results > 0 ? "; \(results) of them are results that wait for the main thread" : ""
  }
}

/// Searches a range for the largest sustained load.
public enum LoadSearch {
  /// The result: the largest sustained load, and why the next one failed.
  public struct Outcome: Sendable {
    /// The largest sustained load; nil if even the smallest is not sustained.
    public let largest: Int?
    /// The smallest load that is not sustained, and why; nil if all are.
    public let end: (load: Int, overload: Overload)?
    /// The number of runs of the search.
    public let runs: Int

    /// - Parameters:
    ///   - largest: the largest sustained load.
    ///   - end: the smallest load that is not sustained, and why.
    ///   - runs: the number of runs of the search.
    public init(largest: Int?, end: (load: Int, overload: Overload)?, runs: Int) {
      self.largest = largest
      self.end = end
      self.runs = runs
    }
  }

  /// Doubles the load until it is too high, then halves the gap; `run` returns the reason why a load is too high.
  ///
  /// Small loads are first, because large ones take long to run. Assumes that every load above one that is too high is too
  /// high, too. Both returned loads were run.
  public static func largest<Failure>(
    in range: ClosedRange<Int>, run: (Int) throws(Failure) -> Overload?
  ) throws(Failure) -> Outcome {
    var runs = 0
    var sustained: Int?
    var failed: (load: Int, overload: Overload)?
    while let load = candidate(in: range, above: sustained, below: failed?.load) {
      runs += 1
      if let overload = try run(load) { failed = (load, overload) } else { sustained = load }
    }
    return Outcome(largest: sustained, end: failed, runs: runs)
  }

  /// The most runs of a search in `range`.
  public static func maxRuns(in range: ClosedRange<Int>) -> Int {
    var (load, runs, most) = (range.lowerBound, 1, 1)
    while load < range.upperBound {
      let next = doubled(load, in: range)
      runs += 1
      // If that is too high, the gap is halved until it is empty.
      most = max(most, runs + Int.bitWidth - (next - load - 1).leadingZeroBitCount)
      load = next
    }
    return most
  }

  /// Twice the load, but at least one more, and at most the range's end.
  private static func doubled(_ load: Int, in range: ClosedRange<Int>) -> Int {
    load > range.upperBound / 2 ? range.upperBound : min(range.upperBound, max(load * 2, load + 1))
  }

  /// The load to run next; nil once two neighbours, or an end of the range, are known.
  private static func candidate(
    in range: ClosedRange<Int>, above sustained: Int?, below failed: Int?
  ) -> Int? {
    guard let sustained else { return failed == nil ? range.lowerBound : nil }
    guard let failed else {
      return sustained == range.upperBound ? nil : doubled(sustained, in: range)
    }
    return failed - sustained > 1 ? sustained + (failed - sustained) / 2 : nil
  }
}
