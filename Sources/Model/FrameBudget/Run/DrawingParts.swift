/// Where parts of drawing run in a run: the rules of `FramePartRule`, the same in both engines.
///
/// Of parts that are prefetched: while the next frame is known and has not begun, the parts of the next frames are tried, the
/// nearest frame first and its parts in the scenario's order. Of each, the first piece that is not ready is tried: the first that is
/// expected to end before the next frame begins runs at once; on demand, before the next vsync, because that may want a frame by
/// then. Nothing interrupts it. What is ready for a frame that never begins has run in vain.
///
/// Of parts that lanes prepare: a frame that begins hands over its own and those of later frames, as far as these are known, each
/// once, in the same order. It draws its other parts, and waits for its own before it draws the rest.
///
/// Of parts that are spread, `PartBacklog` has what frames put off.
public struct DrawingParts: Sendable {
  /// A piece of a part of a later frame, or a part that a lane prepares.
  public struct Unit: Sendable {
    /// Its processor time.
    public let cost: TimeSpan
    /// The index of its part in `RunPlan.frameParts`.
    public let part: Int
    /// The vsync of its frame.
    public let vsync: Int

    fileprivate init(_ part: Int, cost: TimeSpan, vsync: Int) {
      (self.part, self.cost, self.vsync) = (part, cost, vsync)
    }
  }

  private struct Part: Sendable {
    let plan: FramePartPlan
    /// By how many frames it may run early on main; 0: only in its frame.
    var frames = 0
    /// Whether a lane prepares it, by how many frames it is handed over early, and the vsyncs of the frames for which it was, or
    /// which have nothing of it.
    var isPrepared = false
    var framesAhead = 0
    var known: Set<Int> = []
    var estimate = Admission.Fitting.Estimate.learned
    /// The mean of its pieces.
    var learned = LearnedSpan()
    /// By the vsync of this frame or a later one: the cost of its pieces that have run.
    var ready: [Int: TimeSpan] = [:]
    /// What frames put off; nil if they run all of it.
    var backlog: PartBacklog?

    func ready(vsync: Int) -> TimeSpan { ready[vsync] ?? .zero }

    func nextPiece(vsync: Int) -> TimeSpan { plan.piece(vsync: vsync, behind: ready(vsync: vsync)) }

    func fits(into span: TimeSpan, _ cost: TimeSpan) -> Bool {
      // As RecyclerView.RecycledViewPool.willBindInTime: what was never measured is tried.
      (estimate == .exact ? cost : learned.span ?? .zero) <= span
    }

    /// Learns from the pieces that a frame of `vsync` ran behind those that took `ready`, each of which took `factor` times its cost.
    mutating func learn(vsync: Int, behind ready: TimeSpan, factor: Double) {
      var done = ready
      while case let piece = plan.piece(vsync: vsync, behind: done), piece > .zero {
        learned.learn(piece.multiplied(by: factor))
        done += piece
      }
    }
  }

  private var parts: [Part]
  private let mostFrames: Int
  /// Whether lanes prepare parts.
  public let preparesParts: Bool
  /// Whether the current frame needs parts of its own, and was not only requested for what earlier ones put off.
  private var bringsNew = true
  /// The current frame: the parts that it runs itself, what of them was ready, what they still cost, and the cost of all of its
  /// drawing.
  private var drawing:
    (vsync: Int, parts: [(index: Int, ready: TimeSpan, cost: TimeSpan)], cost: TimeSpan) = (
      0, [], .zero
    )
  /// The cost of its drawing behind its parts; and what the parts took before it waited for others.
  private var (rest, tookBefore) = (TimeSpan.zero, TimeSpan.zero)

  /// Creates the state at the begin of a run; nil if every part runs in its frame.
  public init?(_ plan: RunPlan) {
    let (refresh, duration) = (plan.scenario.display.refresh, plan.scenario.duration)
    parts = plan.frameParts.enumerated().map { index, part in
      switch plan.arrangement.rule(ofFramePart: index) {
      case .prefetched(let frames, let estimate):
        Part(plan: part, frames: frames, estimate: estimate)
      case .spread(let budget):
        Part(plan: part, backlog: PartBacklog(budget: budget, refresh, duration: duration))
      case .prepared(_, let frames): Part(plan: part, isPrepared: true, framesAhead: frames)
      case .inFrame, .cached: Part(plan: part)
      }
    }
    mostFrames = parts.map(\.frames).max() ?? 0
    preparesParts = parts.contains(where: \.isPrepared)
    if mostFrames == 0, !preparesParts, parts.allSatisfy({ $0.backlog == nil }) { return nil }
  }

  /// The piece to run at `now`, while the main thread is idle between `frames`.
  public func next(at now: Instant, between frames: borrowing FrameLedger) -> Unit? {
    guard mostFrames > 0, let upcoming = frames.upcoming(mostFrames, at: now) else { return nil }
    let idle = upcoming.idleUntil - now
    return first(of: upcoming.vsyncs) { $0.fits(into: idle, $1) }
  }

  /// When the main thread, idle since `now`, tries again; nil if it has nothing to run early.
  public func retry(after now: Instant, between frames: borrowing FrameLedger) -> Instant? {
    guard mostFrames > 0, let upcoming = frames.upcoming(mostFrames, at: now),
      first(of: upcoming.vsyncs, where: { _, _ in true }) != nil
    else { return nil }
    return upcoming.idleUntil
  }

  /// The first piece that is not ready and may run, of those that are meant.
  private func first(of vsyncs: [Int], where isMeant: (Part, TimeSpan) -> Bool) -> Unit? {
    // What runs before the first frame of a loop of frames is the warm-up.
    guard let next = vsyncs.first, next > 0 else { return nil }
    for (place, vsync) in vsyncs.enumerated() {
      for index in parts.indices where place < parts[index].frames {
        let piece = parts[index].nextPiece(vsync: vsync)
        if piece > .zero, isMeant(parts[index], piece) {
          return Unit(index, cost: piece, vsync: vsync)
        }
      }
    }
    return nil
  }

  /// Records that `unit` has run, and how long that took.
  public mutating func ended(_ unit: Unit, took span: TimeSpan) {
    parts[unit.part].ready[unit.vsync, default: .zero] += unit.cost
    parts[unit.part].learned.learn(span)
  }

  // MARK: On lanes

  /// What the frame of `frames` that begins hands to lanes.
  public mutating func handOvers(_ frames: borrowing FrameLedger, of plan: RunPlan) -> [Unit] {
    guard preparesParts else { return [] }
    let most = parts.map(\.framesAhead).max() ?? 0
    var units: [Unit] = []
    for (place, vsync) in ([frames.vsync] + frames.following(most)).enumerated() {
      for index in parts.indices
      where parts[index].isPrepared && place <= parts[index].framesAhead {
        guard parts[index].known.insert(vsync).inserted else { continue }
        let unit = plan.preparation(ofPart: index, vsync: vsync)
        if unit.cost > .zero { units.append(unit) } else { parts[index].ready[vsync] = .zero }
      }
    }
    return units
  }

  /// The parts of the frame of `vsync` that lanes have not prepared.
  public func unready(vsync: Int) -> [Int] {
    guard preparesParts else { return [] }
    return parts.indices.filter {
      parts[$0].known.contains(vsync) && parts[$0].ready[vsync] == nil
    }
  }

  /// Takes what lanes have prepared. Returns the first part that the frame of `vsync` waits for then.
  public mutating func take(_ prepared: [Unit], vsync: Int) -> Int? {
    for unit in prepared { parts[unit.part].ready[unit.vsync] = unit.cost }
    return unready(vsync: vsync).first
  }

  /// Records that the frame waits behind its own parts, which took `span`.
  public mutating func waits(behind span: TimeSpan) { tookBefore += span }

  /// The cost of the parts that the frame runs itself, and of the drawing behind all parts.
  public var costs: (parts: TimeSpan, rest: TimeSpan) { (drawing.cost - rest, rest) }

  // MARK: In the frame

  /// The cost of drawing in a frame of `vsync` that needs its own parts.
  public func drawingCost(vsync: Int, of plan: RunPlan) -> TimeSpan {
    parts.indices.reduce(plan.drawingWithoutParts(vsync: vsync)) {
      $0 + run(of: parts[$1], vsync: vsync, bringsNew: true)
    }
  }

  /// What a frame of `vsync` runs of `part`.
  private func run(of part: Part, vsync: Int, bringsNew: Bool) -> TimeSpan {
    if part.isPrepared { return .zero }
    guard let backlog = part.backlog else {
      return part.plan.cost(vsync: vsync) - part.ready(vsync: vsync)
    }
    return backlog.run(needing: bringsNew ? part.plan.cost(vsync: vsync) : .zero)
  }

  /// Begins the drawing of the frame of `vsync`, and returns what it costs. What was ready for earlier frames is forgotten.
  ///
  /// `bringsNew` is whether it needs parts of its own: not if only what earlier frames put off has requested it.
  public mutating func begin(vsync: Int, bringsNew: Bool, of plan: RunPlan) -> TimeSpan {
    drawing.vsync = vsync
    self.bringsNew = bringsNew
    drawing.parts = parts.indices.compactMap { index in
      let ready = parts[index].ready(vsync: vsync)
      let cost = run(of: parts[index], vsync: vsync, bringsNew: bringsNew)
      parts[index].ready = parts[index].ready.filter { $0.key >= vsync }
      parts[index].known = parts[index].known.filter { $0 >= vsync }
      let isReady = parts[index].isPrepared || (ready > .zero && cost == .zero)
      return isReady ? nil : (index, ready, cost)
    }
    (rest, tookBefore) = (plan.drawingWithoutParts(vsync: vsync), .zero)
    drawing.cost = drawing.parts.reduce(rest) { $0 + $1.cost }
    return drawing.cost
  }

  /// The parts that the frame whose drawing has begun runs itself.
  public var drawnParts: [FramePartTime] {
    drawing.parts.map { FramePartTime(name: parts[$0.index].plan.name, span: $0.cost) }
  }

  /// Records that the drawing that began took `span`, of which each part had its share. Returns the work that is left of spread parts.
  public mutating func drew(took span: TimeSpan) -> TimeSpan {
    for part in parts.indices {
      let own = bringsNew ? parts[part].plan.cost(vsync: drawing.vsync) : .zero
      parts[part].backlog?.ran(vsync: drawing.vsync, needing: own)
    }
    guard mostFrames > 0, drawing.cost > .zero else { return waiting }
    let factor = Double((tookBefore + span).nanoseconds) / Double(drawing.cost.nanoseconds)
    for (index, ready, _) in drawing.parts where parts[index].frames > 0 {
      parts[index].learn(vsync: drawing.vsync, behind: ready, factor: factor)
    }
    return waiting
  }

  private var waiting: TimeSpan { parts.reduce(.zero) { $0 + ($1.backlog?.waiting ?? .zero) } }

  /// How late the work of spread parts was, in a run that ends at `end`; nil if no part is spread.
  public func lateness(at end: Instant) -> PartLateness? {
    let backlogs = parts.compactMap(\.backlog)
    guard !backlogs.isEmpty else { return nil }
    return PartLateness(
      longest: backlogs.map { $0.longest(at: end) }.max() ?? .zero,
      left: backlogs.reduce(.zero) { $0 + $1.left(at: end) })
  }
}

extension RunPlan {
  /// What a lane prepares of the part at `index` for the frame of `vsync`.
  public func preparation(ofPart index: Int, vsync: Int) -> DrawingParts.Unit {
    DrawingParts.Unit(index, cost: frameParts[index].cost(vsync: vsync), vsync: vsync)
  }

  /// The source of a part's events on lanes, behind the workloads.
  public func source(ofPart index: Int) -> WorkloadIndex {
    workloads.endIndex.advanced(by: index)
  }

  /// The lane that prepares the part at `index`; main if none does.
  public func lane(ofPart index: Int) -> LaneIndex {
    arrangement.rule(ofFramePart: index).lane ?? .main
  }
}

/// What lanes have prepared of drawing and the main thread has not taken, and how much of it that thread waits for.
public struct PreparedParts: Sendable {
  private var units: [DrawingParts.Unit] = []
  private var awaited = (vsync: 0, count: 0)

  /// Nothing.
  public init() {}

  /// Whether the main thread waits.
  public var isAwaited: Bool { awaited.count > 0 }

  /// Adds what a lane has prepared. Returns whether that ends the wait of the main thread.
  public mutating func append(_ unit: DrawingParts.Unit) -> Bool {
    units.append(unit)
    guard isAwaited, unit.vsync == awaited.vsync else { return false }
    awaited.count -= 1
    return awaited.count == 0
  }

  /// Removes and returns everything. The main thread waits for the rest of `count` parts of the frame of `vsync`.
  public mutating func take(awaiting count: Int = 0, of vsync: Int) -> [DrawingParts.Unit] {
    defer { units.removeAll() }
    awaited = (vsync, max(0, count - units.count { $0.vsync == vsync }))
    return units
  }
}
