/// The activities of a run's threads, recorded only on request, like the records in `RunLog.frames`.
public struct TraceLog: Sendable {
  /// The plan of the run, whose scenario and arrangement have the names in the spans.
  public let plan: RunPlan
  /// In the order of `RunPlan.threadNames`.
  public private(set) var threads: PerThread<ThreadTrace>
  /// The items that were suspended, on no thread.
  public private(set) var suspended: ThreadTrace

  /// Creates a log of the threads, in the order of `RunPlan.threadNames`, and of suspended items.
  public init(
    _ plan: RunPlan, _ threads: PerThread<ThreadTrace>, suspended: ThreadTrace = .off
  ) {
    self.suspended = suspended
    precondition(threads.count == plan.threadNames.count, "a trace of each thread")
    self.plan = plan
    self.threads = threads
  }

  /// The number of lost spans, for which there was no room.
  public var lost: Int { threads.reduce(suspended.lost) { $0 + $1.lost } }

  /// Frees the memory of all spans, once they are written.
  mutating func forgetSpans() {
    for thread in threads.indices { threads[thread] = threads[thread].withoutSpans }
    suspended = suspended.withoutSpans
  }

  /// The most spans that a run records: 32 MB, or some 150 MB of JSON.
  public static let maxSpans = 1 << 20

  /// The number of spans that each thread can record: enough for everything that could happen on it, up to the limit.
  ///
  /// A run of a step has at most five spans (the step, its post, its lock waited for and held, a phase around it), as has a
  /// result, and a frame at most one for each phase, four for each read, and two for each piece of drawing that may run early or on a
  /// lane.
  public static func room(for plan: RunPlan, limit: Int = maxSpans) -> Int {
    let end = Instant.zero + plan.scenario.duration
    let frames = plan.scenario.display.refresh.vsyncs(through: end) + 1
    let ofFrames =
      frames * (Phase.allCases.count + 4 * plan.scenario.reads.count)
      + 2 * plan.earlyPieces(inFrames: frames, limit: limit)
    let ofItems = plan.workloads.map { workload in
      5
        * workload.runs(
          of: ArrivalSchedule.count(
            of: workload.workload, before: end, seed: plan.seed, limit: limit), limit: limit)
    }
    return min(ofItems.reduce(ofFrames, +), limit / plan.threadNames.count)
  }
}

extension RunPlan {
  /// The pieces of drawing that may run early or on a lane; of more than `limit`, at least that many. With frames on demand, a piece
  /// may run for a frame that never begins.
  fileprivate func earlyPieces(inFrames frames: Int, limit: Int) -> Int {
    var sum = 0
    for (index, part) in frameParts.enumerated() {
      let rule = arrangement.rule(ofFramePart: index)
      let all = frames + rule.framesEarly
      if rule.lane != nil {
        sum += all
      } else if rule.framesEarly > 0 {
        for vsync in 0..<all where sum < limit { sum += part.pieces(vsync: vsync) }
      }
    }
    return sum
  }
}

extension WorkloadPlan {
  /// The runs of all steps and results of `items`; of more than `limit`, at least that many.
  fileprivate func runs(of items: Int, limit: Int) -> Int {
    let whole = steps.filter { $0.slice == nil }.reduce(1) { $0 + $1.repeats }
    var sum = items * whole
    for step in steps where step.slice != nil {
      for item in 0..<items where sum < limit { sum += step.runs(item: item) }
    }
    return sum
  }
}

extension Arrangement {
  /// A thread of the app: its lane and its name, which is the lane's if that has only one thread.
  public struct Thread: Hashable, Sendable {
    /// The lane that it serves.
    public let lane: LaneIndex
    /// The name in traces.
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

/// An index of `Arrangement.threads`.
public typealias ThreadIndex = TypedIndex<Arrangement.Thread>
/// A value for each thread of an arrangement.
public typealias PerThread<Value> = IndexedArray<Arrangement.Thread, Value>

extension ThreadIndex {
  /// The main thread.
  public static var main: Self { 0 }
}

/// An activity of a thread, from one instant to another.
public struct TraceSpan: Hashable, Sendable {
  /// The activity.
  public let activity: TraceActivity
  /// When it began.
  public let begin: Instant
  /// When it ended.
  public let end: Instant

  /// - Parameters:
  ///   - activity: the activity.
  ///   - begin: when it began.
  ///   - end: when it ended.
  public init(_ activity: TraceActivity, from begin: Instant, to end: Instant) {
    self.activity = activity
    self.begin = begin
    self.end = end
  }
}

/// An activity of a thread in a trace, in addition to the frames.
public enum TraceActivity: Hashable, Sendable {
  /// A phase of a frame, on the main thread.
  case phase(Phase)
  /// Running a step of an item.
  case step(TraceStep)
  /// Posting an item to the lane of its next step, including the wake-up.
  case post(TraceStep)
  /// Waiting for a lock.
  case lockWait(LockIndex)
  /// Ready to run, but without a core; known only in virtual time. Other activities contain it.
  case preempted
  /// From taking a lock to releasing it; other activities may overlap it.
  case lockHold(LockIndex)
  /// Being suspended at the end of a step, on no thread.
  case suspended(TraceStep)
  /// Running a piece of a part of drawing of a later frame, on the main thread, or a part for a frame, on a lane; the index is that of
  /// `RunPlan.frameParts`.
  case earlyPart(Int)
  /// Waiting on the main thread for a part of drawing that a lane prepares.
  case partWait(Int)
}

/// A step of an item; unique in a run.
public struct TraceStep: Hashable, Sendable {
  /// The workload of the item.
  public let workload: WorkloadIndex
  /// The number of the item in its workload, from 0.
  public let item: Int32
  /// The number of the step in the item, from 0.
  public let step: Int32

  /// - Parameters:
  ///   - workload: the workload of the item.
  ///   - item: the number of the item in its workload, from 0.
  ///   - step: the number of the step in the item, from 0.
  public init(workload: WorkloadIndex, item: Int, step: Int) {
    self.workload = workload
    self.item = Int32(item)
    self.step = Int32(step)
  }
}

/// The spans of one thread, in the order in which they ended.
///
/// On threads, their memory is allocated and touched beforehand, so that recording a span neither allocates nor takes a lock. Spans
/// beyond it are counted as lost, so that the start of a run is not mistaken for the whole run.
public struct ThreadTrace: Sendable {
  /// The recorded spans, in the order in which they ended.
  public private(set) var spans: ContiguousArray<TraceSpan> = []
  /// The number of lost spans.
  public private(set) var lost = 0
  private let room: Int

  /// Records nothing, and counts nothing as lost.
  public static let off = ThreadTrace(room: 0)

  /// - Parameter room: the number of spans that can be recorded; 0 records nothing.
  public init(room: Int) {
    self.init(growingTo: room)
    let blank = TraceSpan(.phase(.post), from: .zero, to: .zero)
    spans = ContiguousArray(repeating: blank, count: room)
    spans.removeAll(keepingCapacity: true)
  }

  /// - Parameter most: the number of spans that can be recorded, in memory that grows with them; 0 records nothing.
  public init(growingTo most: Int) { room = most }

  /// Whether anything is recorded.
  public var isOn: Bool { room > 0 }

  /// Forgets the recorded spans, and keeps their memory.
  public mutating func clear() {
    spans.removeAll(keepingCapacity: true)
    lost = 0
  }

  /// The same counts without the spans.
  var withoutSpans: ThreadTrace {
    var rest = ThreadTrace.off
    rest.lost = lost
    return rest
  }

  /// Records that at least `count` spans were lost.
  public mutating func noteLost(_ count: Int) { lost += count }

  /// Records a span; counts it as lost if there is no room.
  public mutating func append(
    _ activity: TraceActivity, from begin: Instant, to end: Instant
  ) {
    guard spans.count < room else { return lost += isOn ? 1 : 0 }
    spans.append(TraceSpan(activity, from: begin, to: end))
  }
}
