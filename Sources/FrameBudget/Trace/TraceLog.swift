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

/// What a thread did from one instant to another.
public struct TraceSpan: Hashable, Sendable {
  /// What it did.
  public let activity: TraceActivity
  /// When that began.
  public let begin: Instant
  /// When that ended.
  public let end: Instant

  /// - Parameters:
  ///   - activity: what it did.
  ///   - begin: when that began.
  ///   - end: when that ended.
  public init(_ activity: TraceActivity, from begin: Instant, to end: Instant) {
    self.activity = activity
    self.begin = begin
    self.end = end
  }
}

/// What a thread can be seen to do beside the frames, which tell the rest.
public enum TraceActivity: Hashable, Sendable {
  /// A phase of a frame, on the main thread.
  case phase(Phase)
  /// Running a step of an item.
  case step(TracePlace)
  /// Handing an item to the lane of its next step, the wake-up included.
  case post(TracePlace)
  /// Waiting for a lock.
  case lockWait(LockIndex)
  /// Ready to run, but without a core: known in virtual time only. Other activities go on around it.
  case preempted
  /// Between taking a lock and releasing it; other activities lie within, before and after it.
  case lockHold(LockIndex)
}

/// A step of an item: no two events of a run are about the same one.
public struct TracePlace: Hashable, Sendable {
  /// Whose item it is.
  public let workload: WorkloadIndex
  /// Which of the workload's items, from 0.
  public let item: Int32
  /// Which of the item's steps, from 0.
  public let step: Int32

  /// - Parameters:
  ///   - workload: whose item it is.
  ///   - item: which of its items, from 0.
  ///   - step: which of the item's steps, from 0.
  public init(workload: WorkloadIndex, item: Int, step: Int) {
    self.workload = workload
    self.item = Int32(item)
    self.step = Int32(step)
  }
}

/// What one thread did, span by span, in the order in which the spans ended.
///
/// Room for them is made, and touched, beforehand: recording a span neither allocates nor takes a lock. What
/// comes once the room is used up is counted, so that the beginning of a run is not mistaken for all of it.
public struct ThreadTrace: Sendable {
  /// What was recorded, in the order in which it ended.
  public private(set) var spans: ContiguousArray<TraceSpan> = []
  /// How many spans found no room.
  public private(set) var lost = 0
  private let room: Int

  /// Records nothing, and counts nothing as lost.
  public static let off = ThreadTrace(room: 0)

  /// - Parameter room: how many spans can be recorded; 0 records nothing.
  public init(room: Int) {
    self.room = room
    let blank = TraceSpan(.phase(.post), from: .zero, to: .zero)
    spans = ContiguousArray(repeating: blank, count: room)
    spans.removeAll(keepingCapacity: true)
  }

  /// Whether anything is recorded.
  public var isOn: Bool { room > 0 }

  /// Forgets what was recorded, and keeps the room.
  public mutating func clear() {
    spans.removeAll(keepingCapacity: true)
    lost = 0
  }

  /// The same with its counts alone.
  var withoutSpans: ThreadTrace {
    var rest = ThreadTrace.off
    rest.lost = lost
    return rest
  }

  /// Notes that `count` spans or more were not recorded.
  public mutating func miss(_ count: Int) { lost += count }

  /// Records a span; counts it as lost where there is no room.
  public mutating func append(
    _ activity: TraceActivity, from begin: Instant, to end: Instant
  ) {
    guard spans.count < room else { return lost += isOn ? 1 : 0 }
    spans.append(TraceSpan(activity, from: begin, to: end))
  }
}

/// What a trace calls what happens on the screen: by the names that Chrome's compositor uses and other readers know.
package enum ScreenEvent: String, Sendable {
  /// The project's own.
  case vsync
  case begin = "BeginFrame"
  case draw = "DrawFrame"
  case drop = "DroppedFrame"

  /// What it says of itself.
  package enum Argument: String, Sendable {
    case frame = "frameSeqId"
    case vsync
  }
}
