/// The outcome of a run of a `ScreenCase`. Times are nanoseconds; `nil` means not before the end.
struct ScreenOutcome: Equatable {
  /// The cause to which a dropped vsync is charged, in the order in which frames are checked.
  enum Cause: Int, CaseIterable {
    case wakeup, lock, logic, drain, reads, compositor, render
    /// No buffer was free.
    case stuffed
  }

  struct Frame: Equatable {
    /// The vsync that it belongs to: b.
    var vsync: Int
    /// The vsync that it was asked for: i.
    var asked = 0
    /// The start and end of its main work: s and E.
    var begin: Int64
    var workEnd: Int64?
    /// The time at which the second stage began with it, and the time at which it was ready: R.
    var stageBegin: Int64?
    var ready: Int64?
    /// The vsync that showed it: p.
    var shown: Int?
    var isStuffed = false
    var missedDeadline = false
    /// Whether work of spread parts waited when it ended.
    var isIncomplete = false
    /// The largest cause of its lateness, if it was late.
    var cause: Cause?
    /// By cause, the time from V(b) to R.
    var spans: [Int64] = []
    /// On demand, the first request that it serves.
    var firstRequest: Int64?
  }

  struct Item: Equatable {
    var workload: Int
    var arrival: Int64
    /// The end of its last step.
    var done: Int64?
    /// The vsync that showed the frame with its result.
    var shown: Int?
    /// Whether a newer item answers for it.
    var isReplaced = false
  }

  struct Drop: Equatable {
    var vsync: Int
    var cause: Cause
  }

  /// A step as it ran.
  struct Run: Equatable {
    var item: Int
    var step: Int
    var lane: Int
    /// When the task that begins with it was posted there; nil: it follows the step before at once.
    var posted: Int64?
    var begin: Int64
    var end: Int64?
  }

  /// A piece of the main thread's work.
  struct Hold: Equatable {
    /// The frame that it was a part of, or else the turn of the queue.
    var frame: Int?
    var turn: Int
    var cause: Cause
    var begin: Int64
    var end: Int64

    /// Whether both are parts of one frame, or of one turn.
    func isOne(with other: Hold) -> Bool {
      frame == other.frame && (frame != nil || turn == other.turn)
    }
  }

  /// What the frame of `vsync` needs of a part that is spread: what of it is left, and the vsync of the frame that completed it.
  struct Owed: Equatable {
    var vsync: Int
    var left: Int64
    var done: Int?
  }

  var lastVsync: Int
  var frames: [Frame] = []
  var items: [Item] = []
  /// The vsyncs that wanted a frame, those of them that showed none, and the causes.
  var wanted: [Int] = []
  var drops: [Drop] = []
  var runs: [Run] = []
  var holds: [Hold] = []
  /// Vsyncs at which no buffer was free.
  var fullVsyncs: [Int] = []
  /// By part that is spread; what the frame that the end cut off needs is not among it.
  var owed: [[Owed]] = []
  /// The frame whose event still waited at the end.
  var unbegun: Frame?
  /// Whether two threads acted at one instant, in an order that no rule determines.
  var isAmbiguous = false

  var expected: Int { wanted.count }
  var presented: Int { frames.count { $0.shown != nil } }
  var stuffed: Int { wantedFrames.count { $0.isStuffed } }
  var missed: Int { wantedFrames.count { $0.missedDeadline } }
  private var wantedFrames: [Frame] { frames + [unbegun].compactMap(\.self) }
  var droppedVsyncs: [Int] { drops.map(\.vsync) }

  /// The durations for which the main loop did not return to its sources: of frames, and of turns of the queue.
  func stretches(of drawn: ScreenCase, fault: ScreenFault?) -> [Int64] {
    let turns = Dictionary(grouping: holds.filter { $0.frame == nil }, by: \.turn)
    let held = turns.values.map { parts in
      (parts.map(\.end).max() ?? 0) - (parts.map(\.begin).min() ?? 0)
    }
    return frames.map { ($0.workEnd ?? drawn.duration) - $0.begin }
      + (fault == .turnsDoNotHang ? [] : held)
  }

  func drops(by cause: Cause) -> Int { drops.count { $0.cause == cause } }
}
