/// Runs parts of drawing of later frames while the main thread is idle: the rule of `FramePartRule.prefetched`, the same in both
/// engines.
///
/// While the next frame is known and has not begun, the parts of the next frames are tried, the nearest frame first and its parts
/// in the scenario's order. The first that is not ready, takes time, and is expected to end before the next frame begins runs at
/// once. Nothing interrupts it. The part of a frame that never begins has run in vain.
public struct FramePrefetch: Sendable {
  /// A part of a later frame.
  public struct Unit: Sendable {
    /// Its processor time.
    public let cost: TimeSpan
    fileprivate let part: Int
    fileprivate let vsync: Int
  }

  private struct Part: Sendable {
    let plan: FramePartPlan
    /// By how many frames it may run early; 0: only in its frame.
    var frames = 0
    var estimate = Admission.Fitting.Estimate.learned
    var learned = LearnedSpan()
    /// The vsyncs of the frames for which it has run.
    var ready: [Int] = []

    func fits(into span: TimeSpan, _ cost: TimeSpan) -> Bool {
      // As RecyclerView.RecycledViewPool.willBindInTime: what was never measured is tried.
      (estimate == .exact ? cost : learned.span ?? .zero) <= span
    }
  }

  private var parts: [Part]
  private let mostFrames: Int
  /// The parts that the current frame runs itself, with their costs, and the cost of all of its drawing.
  private var drawing: (parts: [(index: Int, cost: TimeSpan)], cost: TimeSpan) = ([], .zero)

  /// Creates the state of a run in which nothing is ready; nil if every part runs in its frame.
  public init?(_ plan: RunPlan) {
    parts = plan.frameParts.enumerated().map { index, part in
      guard case .prefetched(let frames, let estimate) = plan.arrangement.rule(ofFramePart: index)
      else { return Part(plan: part) }
      return Part(plan: part, frames: frames, estimate: estimate)
    }
    mostFrames = parts.map(\.frames).max() ?? 0
    if mostFrames == 0 { return nil }
  }

  /// The part to run at `now`, if the next frame, of vsync `first`, begins at `due`.
  public func next(at now: Instant, frame first: Int, due: Instant) -> Unit? {
    // What runs before the first frame is the warm-up.
    guard first > 0, now < due else { return nil }
    for vsync in first..<first + mostFrames {
      for index in parts.indices where vsync - first < parts[index].frames {
        let cost = parts[index].plan.cost(vsync: vsync)
        if cost > .zero, parts[index].fits(into: due - now, cost),
          !parts[index].ready.contains(vsync)
        {
          return Unit(cost: cost, part: index, vsync: vsync)
        }
      }
    }
    return nil
  }

  /// Records that `unit` has run, and how long that took.
  public mutating func ended(_ unit: Unit, took span: TimeSpan) {
    parts[unit.part].ready.append(unit.vsync)
    parts[unit.part].learned.learn(span)
  }

  /// The cost of drawing that the frame of `vsync` need not run, because it is ready.
  public func saved(vsync: Int) -> TimeSpan {
    parts.reduce(.zero) { $1.ready.contains(vsync) ? $0 + $1.plan.cost(vsync: vsync) : $0 }
  }

  /// Begins the drawing of the frame of `vsync`, and returns what it costs. What was ready for earlier frames is forgotten.
  public mutating func begin(vsync: Int, of plan: RunPlan) -> TimeSpan {
    drawing.cost = plan.renderCost(vsync: vsync) - saved(vsync: vsync)
    drawing.parts = parts.indices.compactMap { index in
      let isReady = parts[index].ready.contains(vsync)
      parts[index].ready.removeAll { $0 <= vsync }
      return isReady ? nil : (index, parts[index].plan.cost(vsync: vsync))
    }
    return drawing.cost
  }

  /// The parts that the frame whose drawing has begun runs itself.
  public var drawnParts: [FramePartTime] {
    drawing.parts.map { FramePartTime(name: parts[$0.index].plan.name, span: $0.cost) }
  }

  /// Records that the drawing that began took `span`, of which each part had its share.
  public mutating func drew(took span: TimeSpan) {
    guard drawing.cost > .zero else { return }
    let factor = Double(span.nanoseconds) / Double(drawing.cost.nanoseconds)
    for (index, cost) in drawing.parts where cost > .zero {
      parts[index].learned.learn(cost.multiplied(by: factor))
    }
  }
}
