/// The reason why an arrangement does not sustain a load.
public enum Overload: Hashable, Sendable {
  /// The number of vsyncs without a new frame, and their main cause.
  case droppedFrames(Int, mostly: Cause)
  /// More items wait when the last ones arrive than when the second ones arrived.
  case growingBacklog(workload: String, before: Int, after: Int)
  /// Everything arrived at one instant, and some items were not done by the end.
  case unfinished(workload: String, pending: Int)
  /// The number of late responses.
  case lateResponses(workload: String, count: Int, within: TimeSpan)

  /// The reason why a run's load is too high; nil if it was sustained: no dropped frame, no growing backlog, no unfinished burst,
  /// every response in time.
  public static func of(_ metrics: RunMetrics) -> Overload? {
    if metrics.frames.dropped > 0 {
      return .droppedFrames(metrics.frames.dropped, mostly: metrics.frames.mainCause)
    }
    for log in metrics.log.items {
      if let backlog = backlog(of: log) { return backlog }
    }
    for (log, workload) in zip(metrics.log.items, metrics.workloads) {
      if let within = log.respondWithin, let late = workload.items.responsesLate, late > 0 {
        return .lateResponses(workload: log.workload, count: late, within: within)
      }
    }
    return nil
  }

  private static func backlog(of log: ItemLog) -> Overload? {
    guard let first = log.arrivals.first, let last = log.arrivals.last else { return nil }
    guard let second = log.arrivals.first(where: { $0 > first }) else {
      let pending = log.pendingCount
      return pending > 0 ? .unfinished(workload: log.workload, pending: pending) : nil
    }
    let before = log.waiting(before: second)
    let after = log.waiting(before: last)
    return after > before
      ? .growingBacklog(workload: log.workload, before: before, after: after) : nil
  }
}

extension ItemLog {
  /// The number of items that had arrived before `nanoseconds` and were not done by then.
  func waiting(before nanoseconds: Int64) -> Int {
    zip(arrivals, completions).count { arrival, done in
      arrival < nanoseconds && (done < 0 || done >= nanoseconds)
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
    case .growingBacklog: "growing_backlog"
    case .unfinished: "unfinished"
    case .lateResponses: "late_responses"
    }
  }

  public var description: String {
    switch self {
    case .droppedFrames(let count, let cause):
      "\(count) dropped \(count == 1 ? "frame" : "frames"), mostly by \(cause.name)"
    case .growingBacklog(let workload, let before, let after):
      "\(workload)'s backlog grows: \(before) waiting at its second arrival, \(after) at its last"
    case .unfinished(let workload, let pending):
      "\(pending) of \(workload) still pending at the end"
    case .lateResponses(let workload, let count, let within):
      "\(count) \(count == 1 ? "response" : "responses") of \(workload) later than \(within)"
    }
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
