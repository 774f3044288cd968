internal import FrameBudget

/// The main thread: how far it has come within a frame.
struct FrameLoop {
  enum Stage {
    case sleeps, begins, launched, delivers, admits, drains
    /// Business logic: between two items, within one, behind one, behind one put aside, and behind all of them.
    case chooses, works, ran, releases, rests, publishes
    case reads, looks, looked, renders, ends
  }

  /// A read of the UI, and how it gets at the state.
  struct Read {
    let service: ServiceIndex
    /// The lock that it takes; `absent` where it needs none.
    let lock: LockIndex
    let isSnapshot: Bool
    /// What it takes; nil where that differs from frame to frame.
    let cost: TimeSpan?
  }

  let refresh: RefreshRate
  /// The vsync at which the run ends: frames begin before it.
  let last: Int
  let reads: ContiguousArray<Read>
  /// What drawing takes; nil where that differs from frame to frame.
  let renderCost: TimeSpan?
  let returning: Returning
  var stage = Stage.sleeps
  /// The vsync at which this frame begins, or the next one.
  var vsync = 0
  /// When that is.
  var due = Instant.zero
  /// Frames dropped so far.
  var dropped = 0
  var isOpen = false

  // Accounts of the frame under way.
  var phase = Phase.post
  var since = Instant.zero
  /// Whether the main thread has asked for a lock since.
  var isLocking = false
  var readyAtBegin = TimeSpan.zero

  // Places within the stages.
  var admissions = 0
  var resultsLeft = 0
  var hasDrained = false
  var drainBegan = Instant.zero
  /// Whether the item that runs was held back, so that it may be put aside.
  var wasHeldBack = false
  /// The item that runs, with the step up to which the gate knows of it.
  var begun = Item()
  /// When business logic was over, and how long the thread has waited for locks since.
  var rested = Instant.zero
  var blockedSince = TimeSpan.zero
  var read = 0
  /// How old the snapshot is that is about to be read.
  var age = TimeSpan.zero
  /// By read: when it last read state in place.
  var readInPlace: ContiguousArray<Instant>
  /// By workload: the first item whose result waits to be shown as part of one update.
  var updates: ContiguousArray<Int32>

  init(_ plan: RunPlan) {
    let arrangement = plan.arrangement
    refresh = plan.scenario.display.refresh
    last = refresh.vsyncs(through: .zero + plan.scenario.duration)
    reads = ContiguousArray(plan.scenario.reads.map { Read($0, under: arrangement) })
    readInPlace = ContiguousArray(repeating: .zero, count: reads.count)
    renderCost = plan.scenario.display.render.fixed
    returning = arrangement.returning
    updates = ContiguousArray(repeating: -1, count: plan.workloads.count)
  }
}

extension FrameLoop.Read {
  fileprivate init(_ read: UIRead, under arrangement: Arrangement) {
    service = read.service
    cost = read.cpu.fixed
    isSnapshot = arrangement.reading.publishRule != nil
    if arrangement.reading == .locked, case .guarded(let guardian) = arrangement.placement[service]
    {
      lock = guardian
    } else {
      lock = .absent
    }
  }
}
