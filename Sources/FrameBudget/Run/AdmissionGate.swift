/// Decides which background items may start: the policy of `Admission`, the same in both engines.
public struct AdmissionGate: Sendable {
  private let admission: Admission
  private let refresh: RefreshRate
  private var lastAdmission: Instant?
  private var frame = FrameBudgetLeft()
  private var reserve = LearnedSpan()
  /// How many frames in a row passed in which something wanted to start and nothing did.
  private var fruitless = 0
  private var learned: [[LearnedSpan]]

  public init(_ plan: RunPlan) {
    admission = plan.arrangement.admission
    refresh = plan.scenario.display.refresh
    learned = plan.workloads.map { Array(repeating: LearnedSpan(), count: max(1, $0.steps.count)) }
  }

  /// Opens a frame that begins at `vsync`; `reserve` is what its reads and drawing will take.
  public mutating func open(vsync: Int, reserve exact: TimeSpan) {
    fruitless = frame.isRefused && !frame.isUsed ? fruitless + 1 : 0
    let kept = usesLearned ? reserve.span ?? .zero : exact
    frame = FrameBudgetLeft(
      begin: refresh.vsync(vsync), deadline: refresh.vsync(vsync + 1), reserve: kept)
  }

  /// Learns what reads and drawing took in a frame, warm-up included.
  public mutating func learn(reserve span: TimeSpan) {
    if usesLearned { reserve.learn(span) }
  }

  /// How many of `waiting` held-back items are admitted at the begin of the frame that is open.
  public mutating func admits(_ waiting: Int) -> Int {
    guard case .batch(let batch, let interval) = admission else { return 0 }
    if let last = lastAdmission, frame.begin < last + interval { return 0 }
    if waiting > 0 { lastAdmission = frame.begin }
    return min(waiting, batch)
  }

  /// Whether the unit that begins with `step` of `item` may start now, in the rest of the open frame.
  public mutating func starts(
    _ workload: WorkloadIndex, step: Int, item: Int, of plan: RunPlan, at now: Instant
  ) -> Bool {
    guard case .fitting(let fitting) = admission else { return true }
    let available = frame.deadline - now - frame.reserve
    guard fitting.lookAhead else { return available > .zero }
    let cost = estimate(plan.workloads[workload], workload, step, item, fitting)
    let starts = cost <= available || (!frame.isUsed && mustStart(cost))
    if starts { frame.isUsed = true } else { frame.isRefused = true }
    return starts
  }

  /// Whether something has to start although it does not fit: alone, first in its frame. What is longer than an
  /// empty frame's rest never fits, and what is nearly as long may always just miss on a real clock.
  private func mustStart(_ cost: TimeSpan) -> Bool {
    cost > frame.deadline - frame.begin - frame.reserve || fruitless >= Self.patience
  }

  /// How many such frames may pass.
  private static let patience = 10

  /// Learns what a step took.
  public mutating func learn(_ workload: WorkloadIndex, step: Int, took span: TimeSpan) {
    if usesLearned { learned[workload][step].learn(span) }
  }

  /// Whether background items wait to be let in, rather than starting in the order of all arrivals.
  public var holdsBack: Bool { admission != .all }

  /// Whether what is held back starts in the rest of a frame, unit by unit.
  public var fillsFrames: Bool {
    if case .fitting = admission { return true }
    return false
  }

  /// Whether an item that has begun may be put aside between two steps.
  public var slicesSteps: Bool {
    if case .fitting(let fitting) = admission { return fitting.unit == .step }
    return false
  }

  private var usesLearned: Bool {
    if case .fitting(let fitting) = admission { return fitting.estimate == .learned }
    return false
  }

  private func estimate(
    _ plan: WorkloadPlan, _ workload: WorkloadIndex, _ step: Int, _ item: Int,
    _ fitting: Admission.Fitting
  ) -> TimeSpan {
    let last = fitting.unit == .step ? min(step + 1, plan.steps.count) : plan.steps.count
    return (step..<last).reduce(TimeSpan.zero) { sum, step in
      switch fitting.estimate {
      case .exact: sum + plan.steps[step].cost(item: item) + plan.steps[step].wait
      case .learned: sum + (learned[workload][step].span ?? .zero)
      }
    }
  }
}

/// The open frame's share of time.
private struct FrameBudgetLeft {
  var begin = Instant.zero
  var deadline = Instant.zero
  var reserve = TimeSpan.zero
  /// Whether anything was started in this frame.
  var isUsed = false
  /// Whether something wanted to start and was not let.
  var isRefused = false
}

/// An exponentially weighted mean with a weight of 1/8, as TCP smooths round-trip times (RFC 6298).
struct LearnedSpan: Sendable {
  private(set) var span: TimeSpan?

  mutating func learn(_ observed: TimeSpan) {
    let old = span ?? observed
    span = TimeSpan(nanoseconds: old.nanoseconds + (observed - old).nanoseconds / 8)
  }
}
