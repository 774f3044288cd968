/// What the threads of a run did: recorded only when asked for, as `RunLog.frames` is in detail.
public struct TraceLog: Sendable {
  /// What it was a run of: its scenario and arrangement have the names of what the spans are about.
  public let plan: RunPlan
  /// As `RunPlan.threadNames` has them.
  public private(set) var threads: PerThread<ThreadTrace>

  /// What the threads of a run did, in the order of `RunPlan.threadNames`.
  public init(_ plan: RunPlan, _ threads: PerThread<ThreadTrace>) {
    precondition(threads.count == plan.threadNames.count, "a trace of each thread")
    self.plan = plan
    self.threads = threads
  }

  /// Spans that found no room.
  public var lost: Int { threads.reduce(0) { $0 + $1.lost } }

  /// Gives the memory of all spans back, once they are written.
  mutating func forgetSpans() {
    for thread in threads.indices { threads[thread] = threads[thread].withoutSpans }
  }

  /// The most spans that a run records: 32 MB, or some 150 MB of JSON.
  public static let mostSpans = 1 << 20

  /// How much room each thread gets: for all that could happen on it, as far as the limit allows.
  ///
  /// A step is at most five spans (it, its post, its lock waited for and held, a phase around it), a frame at
  /// most one for each phase and four for each read.
  public static func room(for plan: RunPlan, limit: Int = mostSpans) -> Int {
    let end = Instant.zero + plan.scenario.duration
    let frames = plan.scenario.display.refresh.vsyncs(through: end) + 1
    let ofFrames = frames * (Phase.allCases.count + 4 * plan.scenario.reads.count)
    let ofItems = plan.workloads.map { workload in
      5 * (workload.steps.count + 1)
        * ArrivalSchedule.count(
          of: workload.workload, before: end, seed: plan.seed, limit: limit)
    }
    return min(ofItems.reduce(ofFrames, +), limit / plan.threadNames.count)
  }
}

extension Arrangement {
  /// A thread of the app: of which lane, and its name, which is the lane's where that has only one.
  public struct Thread: Hashable, Sendable {
    /// Which lane it serves.
    public let lane: LaneIndex
    /// As traces show it.
    public let name: String
  }

  /// All threads, main first, then by lane.
  public var threads: PerThread<Thread> {
    PerThread(
      lanes.indexed.flatMap { index, lane in
        let width = index == .main ? 1 : lane.width
        return (1...width).map { number in
          Thread(lane: index, name: width == 1 ? lane.name : "\(lane.name) \(number)")
        }
      })
  }
}

/// A place in `Arrangement.threads`.
public typealias ThreadIndex = TypedIndex<Arrangement.Thread>
/// Something for each thread of an arrangement.
public typealias PerThread<Value> = IndexedArray<Arrangement.Thread, Value>

extension ThreadIndex {
  /// The main thread.
  public static var main: Self { 0 }
}
