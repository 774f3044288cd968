/// Decides which background items may start: the policy of `Admission`, the same in both engines.
public struct AdmissionGate: Sendable {
  private let admission: Admission
  private let refresh: RefreshRate
  /// Whether a frame draws before the rest of its period is used for held-back items.
  private let drawsFirst: Bool
  /// Whether results run in the next frame, not behind their items.
  private let coalesces: Bool
  private var lastAdmission: Instant?
  private var frame = FrameBudgetLeft()
  private var reserve = LearnedSpan()
  /// The number of consecutive frames in which an item wanted to start and none did.
  private var fruitlessFrames = 0
  /// By step, followed by the result: the learned cost.
  private var learned: PerWorkload<[LearnedSpan]>
  /// Whether its items wait for admission instead of starting in the order of all arrivals.
  public let holdsBack: PerWorkload<Bool>

  /// Creates the gate of a run.
  public init(_ plan: RunPlan) {
    admission = plan.arrangement.admission
    refresh = plan.scenario.display.refresh
    drawsFirst = plan.scenario.display.mainLoop != .frame
    coalesces = plan.arrangement.returning == .coalesced
    learned = plan.workloads.mapValues {
      Array(repeating: LearnedSpan(), count: $0.steps.count + 1)
    }
    let admitsAll = admission == .all
    holdsBack = plan.workloads.mapValues { !admitsAll && !$0.hasPriority }
  }

  /// Opens a frame that begins at `vsync`; `exact` is the true cost of its reads and drawing, which is only needed if items are
  /// held back.
  public mutating func open(vsync: Int, reserve exact: @autoclosure () -> TimeSpan) {
    guard admission != .all else { return }
    fruitlessFrames = frame.isRefused && !frame.isUsed ? fruitlessFrames + 1 : 0
    let kept = drawsFirst ? .zero : usesLearned ? reserve.span ?? .zero : exact()
    frame = FrameBudgetLeft(
      begin: refresh.vsync(vsync), deadline: refresh.vsync(vsync + 1), reserve: kept)
  }

  /// Learns the time from the end of business logic to the end of a frame, including the warm-up: publication, reads, drawing.
  public mutating func learn(reserve span: TimeSpan) {
    if usesLearned { reserve.learn(span) }
  }

  /// The number of the `waiting` held-back items that are admitted at the start of the open frame.
  public mutating func admits(_ waiting: Int) -> Int {
    guard case .batch(let batch, let interval) = admission else { return 0 }
    if let last = lastAdmission, frame.begin < last + interval { return 0 }
    if waiting > 0 { lastAdmission = frame.begin }
    return min(waiting, batch)
  }

  /// Whether the unit that begins with a run of `step` of `item` may start now, in the rest of the open frame.
  ///
  /// It may if it is expected to end in time, including its result; without look-ahead, if any time is left. A unit that would
  /// never start, because it does not fit into an empty frame or because other work always uses the time, starts anyway: one
  /// unit per frame, before other held-back items.
  public mutating func starts(
    _ workload: WorkloadIndex, step: Int, run: Int = 0, item: Int, of plan: RunPlan,
    at now: Instant
  ) -> Bool {
    guard case .fitting(let fitting) = admission else { return true }
    let available = frame.deadline - now - frame.reserve
    let cost =
      fitting.lookAhead
      ? estimate(plan.workloads[workload], workload, step, run, item, fitting) : Self.anyTime
    let starts = cost <= available || (!frame.isUsed && mustStart(cost))
    if starts { frame.isUsed = true } else { frame.isRefused = true }
    return starts
  }

  /// The expected cost of a unit that may start while any time is left.
  private static let anyTime = TimeSpan.nanoseconds(1)

  /// Whether a unit has to start although it does not fit: alone, and first in its frame. A unit longer than the rest of an
  /// empty frame never fits, and one that is nearly as long may always narrowly miss on a real clock.
  private func mustStart(_ cost: TimeSpan) -> Bool {
    cost > frame.deadline - frame.begin - frame.reserve
      || fruitlessFrames >= Self.maxFruitlessFrames
  }

  /// The number of such frames that may pass.
  private static let maxFruitlessFrames = 10

  /// Learns the cost of a step.
  public mutating func learn(_ workload: WorkloadIndex, step: Int, took span: TimeSpan) {
    if usesLearned { learned[workload][step].learn(span) }
  }

  /// Learns the cost of an item's result.
  public mutating func learn(_ workload: WorkloadIndex, resultTook span: TimeSpan) {
    learn(workload, step: learned[workload].count - 1, took: span)
  }

  /// Whether it holds nothing back.
  public var admitsAll: Bool { admission == .all }

  /// Whether held-back items start in the rest of a frame, unit by unit.
  public var fillsFrames: Bool {
    if case .fitting = admission { return true }
    return false
  }

  /// Whether an item may be suspended between two steps.
  public var slicesSteps: Bool {
    if case .fitting(let fitting) = admission { return fitting.unit == .step }
    return false
  }

  private var usesLearned: Bool {
    if case .fitting(let fitting) = admission { return fitting.estimate == .learned }
    return false
  }

  private func estimate(
    _ plan: WorkloadPlan, _ workload: WorkloadIndex, _ step: Int, _ run: Int, _ item: Int,
    _ fitting: Admission.Fitting
  ) -> TimeSpan {
    let count = plan.steps.count
    // The time after a suspension belongs to a later frame.
    let end = plan.steps.indices.first { $0 >= step && plan.steps[$0].leavesLane }.map { $0 + 1 }
    let last = fitting.unit == .step ? min(step + 1, count) : end ?? count
    var sum = TimeSpan.zero
    var hasEnded = true
    for part in step..<last {
      let first = part == step ? run : 0
      let runs = plan.steps[part].runs(item: item)
      let leaves = plan.steps[part].leavesLane
      let end = fitting.unit == .step || leaves ? first + 1 : runs
      hasEnded = end == runs && !leaves
      switch fitting.estimate {
      case .exact:
        let time = plan.steps[part].time(of: first..<end, item: item)
        sum += time.cost + time.wait
      case .learned: sum += (learned[workload][part].span ?? .zero) * (end - first)
      }
    }
    guard hasEnded, !coalesces, plan.runsResult(behind: step..<last) else { return sum }
    return sum
      + (fitting.estimate == .exact
        ? plan.resultCost(item: item) : learned[workload][count].span ?? .zero)
  }
}

extension WorkloadPlan {
  /// Whether the result of an item runs directly behind one of `steps`.
  fileprivate func runsResult(behind steps: Range<Int>) -> Bool {
    answer.map(steps.contains) ?? (steps.upperBound == self.steps.count)
  }
}

/// The remaining time of the open frame.
private struct FrameBudgetLeft {
  var begin = Instant.zero
  var deadline = Instant.zero
  var reserve = TimeSpan.zero
  /// Whether a unit was started in this frame.
  var isUsed = false
  /// Whether a unit was refused in this frame.
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
