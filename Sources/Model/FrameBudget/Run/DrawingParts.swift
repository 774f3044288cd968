/// Where parts of drawing run in a run: the rules of `FramePartRule`, the same in both engines.
///
/// Of parts that are prefetched: while the next frame is known and has not begun, the parts of the next frames are tried, the
/// nearest frame first and its parts in the scenario's order. Of each, the first piece that is not ready is tried: the first that is
/// expected to end before the next frame begins runs at once; on demand, before the next vsync, because that may want a frame by
/// then. Nothing interrupts it. What is ready for a frame that never begins has run in vain.
///
/// Of parts that are spread, `PartBacklog` has what frames put off.
public struct DrawingParts: Sendable {
  /// A piece of a part of a later frame.
  public struct Unit: Sendable {
    /// Its processor time.
    public let cost: TimeSpan
    /// The index of its part in `RunPlan.frameParts`.
    public let part: Int
    fileprivate let vsync: Int
  }

  private struct Part: Sendable {
    let plan: FramePartPlan
    /// By how many frames it may run early; 0: only in its frame.
    var frames = 0
    var estimate = Admission.Fitting.Estimate.learned
    /// The mean of its pieces.
    var learned = LearnedSpan()
    /// By the vsync of a later frame: the cost of its pieces that have run.
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
  /// Whether the current frame needs parts of its own, and was not only requested for what earlier ones put off.
  private var bringsNew = true
  /// The current frame: the parts that it runs itself, what of them was ready, what they still cost, and the cost of all of its
  /// drawing.
  private var drawing:
    (vsync: Int, parts: [(index: Int, ready: TimeSpan, cost: TimeSpan)], cost: TimeSpan) = (
      0, [], .zero
    )

  /// Creates the state at the begin of a run; nil if every part runs in its frame.
  public init?(_ plan: RunPlan) {
    let (refresh, duration) = (plan.scenario.display.refresh, plan.scenario.duration)
    parts = plan.frameParts.enumerated().map { index, part in
      switch plan.arrangement.rule(ofFramePart: index) {
      case .prefetched(let frames, let estimate):
        Part(plan: part, frames: frames, estimate: estimate)
      case .spread(let budget):
        Part(plan: part, backlog: PartBacklog(budget: budget, refresh, duration: duration))
      case .inFrame, .cached: Part(plan: part)
      }
    }
    mostFrames = parts.map(\.frames).max() ?? 0
    if mostFrames == 0, parts.allSatisfy({ $0.backlog == nil }) { return nil }
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
          return Unit(cost: piece, part: index, vsync: vsync)
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

  /// The cost of drawing in a frame of `vsync` that needs its own parts.
  public func drawingCost(vsync: Int, of plan: RunPlan) -> TimeSpan {
    parts.indices.reduce(plan.drawingWithoutParts(vsync: vsync)) {
      $0 + run(of: parts[$1], vsync: vsync, bringsNew: true)
    }
  }

  /// What a frame of `vsync` runs of `part`.
  private func run(of part: Part, vsync: Int, bringsNew: Bool) -> TimeSpan {
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
      parts[index].ready = parts[index].ready.filter { $0.key > vsync }
      return ready > .zero && cost == .zero ? nil : (index, ready, cost)
    }
    drawing.cost = drawing.parts.reduce(plan.drawingWithoutParts(vsync: vsync)) { $0 + $1.cost }
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
    let factor = Double(span.nanoseconds) / Double(drawing.cost.nanoseconds)
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
