/// A screen, a main loop and their load, as the input of `ScreenOracle`. Times are nanoseconds.
struct ScreenCase: Equatable {
  enum Loop: Equatable { case frame, events, fifo, alternate }
  enum FrameTime: Equatable { case newest, posted }

  /// The rule by which a task ends although its item has steps left.
  struct Yield: Equatable {
    /// The limit of a task; nil means one step.
    var every: Int64?
    var resumesFirst = false
  }

  struct Step: Equatable {
    /// 0 is the main thread.
    var lane = 0
    var cost: Int64
    /// A fork: the item continues at once with its next step.
    var isFork = false
    /// Waits for the earlier forks.
    var joins = false
    /// How often it runs.
    var repeats = 1
    /// The length of the slices in which it may yield on the main thread.
    var slice: Int64?
    /// The result of the item runs behind it.
    var answers = false
    /// How its item waits at its end, without the thread.
    var suspension: Suspension?
  }

  /// When items start of which only the newest matters.
  enum Newest: Equatable {
    case latest
    case debounce(Int64)
    case throttle(Int64)
  }

  /// A wait; with a resource, from when that has a place.
  struct Suspension: Equatable {
    var span: Int64
    /// Its index.
    var resource: Int?
  }

  struct Workload: Equatable {
    /// In ascending order.
    var arrivals: [Int64]
    var steps: [Step]
    /// The work of an item on the main thread after it is done.
    var result: Int64 = 0
    var draws = false
    /// The main thread of an event loop notices its items when it is free.
    var isTimer = false
    /// Behind the first task of an item, others may wait for a frame.
    var isInput = false
    /// Nil if each item must be done.
    var newest: Newest?

    /// The step behind which the result runs, unless that is the end of the item.
    var answer: Int? {
      guard let place = steps.firstIndex(where: \.answers) else { return nil }
      let isEnd = place == steps.count - 1 && !steps.contains(where: \.isFork)
      return isEnd ? nil : place
    }
  }

  /// The state that each frame reads. Each step on another lane whose state is read publishes a snapshot.
  struct Read: Equatable {
    var lane: Int
    var cost: Int64
  }

  /// A part of drawing, with its costs by vsync, which repeat.
  struct Part: Equatable {
    var costs: [Int64]
    /// By how many frames it may run early, while the main thread is idle; 0: only in its frame.
    var early = 0
    /// Whether its true cost is known, rather than learned from earlier ones.
    var isExact = false
    /// The longest of its pieces; nil if it is one.
    var unit: Int64?
    /// The percentage of the frames that need it which find it in a cache.
    var hits = 0
    /// How much of it a frame runs at most; nil if there is no limit.
    var budget: Int64?
    /// The lane that prepares it, up to `early` frames before its own; nil if it runs on the main thread.
    var lane: Int?

    func cost(_ vsync: Int) -> Int64 { costs[vsync % costs.count] }
  }

  /// Vsyncs in `perSeconds` seconds: 60 000 in 1001 are 59.94 Hz.
  var vsyncs: Int64 = 60
  var perSeconds: Int64 = 1
  var duration: Int64
  var render: Int64 = 10_000_000
  var reads: [Read] = []
  var parts: [Part] = []
  var deadline = 1
  /// As `deadline` if nil.
  var buffers: Int?
  var compositor: Int64?
  var isOnDemand = false
  var loop = Loop.frame
  /// Whether a turn of the main thread takes all tasks that wait at its start, rather than one.
  var isQueued = false
  var frameTime = FrameTime.newest
  /// How long tasks wait for a frame behind an input, at most; nil if they do not.
  var deferral: Int64?
  var yield: Yield?
  /// The time for which a frame drains results; nil: all present ones.
  var drain: Int64?
  /// Whether a frame shows all results of a workload in one update, also those of items that ended on the main thread.
  var coalesces = false
  /// How much the arrangement adds to the deadline and to the buffers of the screen.
  var later = 0
  /// The number of lanes beside the main thread.
  var lanes = 0
  /// The threads of lanes with more than one. Their services let all of them in.
  var widths: [Int: Int] = [:]
  /// How many waits each resource serves at a time.
  var resources: [Int] = []
  var workloads: [Workload] = []
  /// Instants at which the file wants a frame.
  var requests: [Int64] = []

  /// Whether tasks on the main thread may end before their items do.
  var yieldsOnMain: Bool { loop != .frame && yield != nil }

  /// Periods from a frame's vsync to the one that should show it, and how many frames may have begun without being shown.
  var due: Int { deadline + later }
  var room: Int { (buffers ?? deadline) + later }

  /// The number of threads of a lane.
  func width(_ lane: Int) -> Int { widths[lane] ?? 1 }

  func instant(_ vsync: Int) -> Int64 {
    Int64(vsync) * 1_000_000_000 * perSeconds / vsyncs
  }

  /// The first vsync at or after `time`.
  func vsync(atOrAfter time: Int64) -> Int {
    var vsync = self.vsync(atOrBefore: time)
    if instant(vsync) < time { vsync += 1 }
    return vsync
  }

  /// The last vsync at or before `time`.
  func vsync(atOrBefore time: Int64) -> Int {
    var vsync = Int(time * vsyncs / (1_000_000_000 * perSeconds))
    while instant(vsync + 1) <= time { vsync += 1 }
    return vsync
  }

  /// The last vsync of the run.
  var lastVsync: Int { vsync(atOrBefore: duration) }

  /// Whether the UI reads snapshots of the state on `lane`.
  func publishes(_ lane: Int) -> Bool { lane != 0 && reads.contains { $0.lane == lane } }
}
