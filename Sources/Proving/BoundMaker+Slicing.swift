internal import FrameBudget

// What time slicing starts in the rest of a frame. `AdmissionGate.starts` has the rule.
extension BoundMaker {
  /// Adds what held-back items can take beside the `counts` of the others and `drawing`, at most.
  mutating func addSlicing(_ counts: PerWorkload<Int>, _ drawing: [FrameBound.Part]) {
    guard case .fitting(let fitting) = arrangement.admission else { return }
    let held = scenario.workloads.indices.filter(isHeldBack)
    guard !held.isEmpty else { return }
    let units = held.flatMap { self.units($0, fitting.unit) }
    let rule = SlicingRule(
      fitting, units: units, others: parts.map(\.total).total, drawing: drawing.map(\.total).total,
      reserve: reserve(fitting.estimate), period: period,
      isLearnedExactly: isLearnedExactly(held, counts, drawing), mayLearnMore: sharesCores)
    let whole = all(held)?.and(rule.others).and(rule.drawing) ?? .limit
    let end = min(rule.latestEnd(burst: tenFrames(counts)), whole)
    add(.slicing, "", 1, max(.zero, end - rule.others - rule.drawing))
  }

  /// What is started at once: what it is stated to take, and what it takes.
  private func units(
    _ workload: WorkloadIndex, _ unit: Admission.Fitting.Unit
  ) -> [SlicingRule.Unit] {
    let time = item(workload)
    let steps = time.steps.enumerated().map { place, step in
      let segment = Segment(workload: workload, steps: place..<(place + 1), from: nil, to: nil)
      return SlicingRule.Unit(
        stated: step.stated, taken: [step.logic, step.wait, turning(in: segment)].total)
    }
    let result = SlicingRule.Unit(stated: time.result.stated, taken: time.result.taken)
    guard unit == .step, let last = steps.last else { return [steps.reduce(result, +)] }
    return steps.dropLast() + [last + result]
  }

  /// What held-back items of the whole run take; nil for any time.
  private func all(_ held: [WorkloadIndex]) -> TimeSpan? {
    var sum = TimeSpan.zero
    for workload in held {
      guard let count = inRun(workload) else { return nil }
      let whole = units(workload, .item).map(\.taken).total
      sum = sum.and(whole.times(count))
    }
    return sum
  }

  /// What the others take in as many frames in a row as something held back waits at most without starting.
  private func tenFrames(_ counts: PerWorkload<Int>) -> TimeSpan {
    let length = window.times(SlicingRule.patience)
    return counts.indices.filter { !isHeldBack($0) }.map { workload in
      scenario.workloads[workload].arrival.most(within: length)
        .map { item(workload).total.times($0) } ?? .limit
    }.total
  }

  /// The least and the most that is kept for reads and drawing.
  private func reserve(_ estimate: Admission.Fitting.Estimate) -> (least: TimeSpan, most: TimeSpan)
  {
    let costs = [scenario.display.render] + scenario.reads.map(\.cpu)
    let stated = costs.compactMap(\.largest).total
    guard estimate == .learned else { return (stated, stated) }
    let most = costs.map { slow($0.largest ?? .zero) }.total
    // Learned from the frames of the warm-up on; before the first nothing is kept.
    guard scenario.warmup > .zero else { return (.zero, most) }
    // On cores of other speeds each part of a frame is rounded up by itself, and the sum that is learned is not.
    let isRounded = machine.speeds.contains { $0 != 1000 }
    let rounding = isRounded ? TimeSpan.nanoseconds(Int64(costs.count + 1)) : .zero
    return (max(.zero, fast(costs.map(\.smallest).total) - rounding), most)
  }

  /// Whether what is learned is what everything takes, from the first item on: there is one kind of item, it always takes as
  /// long, and its first one is sure to find room.
  private func isLearnedExactly(
    _ held: [WorkloadIndex], _ counts: PerWorkload<Int>, _ drawing: [FrameBound.Part]
  ) -> Bool {
    guard held.count == 1, !sharesCores else { return false }
    let steps = plans[held[0]].steps
    let costs =
      steps.flatMap { [$0.load.duration, $0.wait] } + [scenario.workloads[held[0]].result]
    guard costs.allSatisfy({ $0.smallest == $0.largest }) else { return false }
    let others = parts.map(\.total).total.and(drawing.map(\.total).total)
    return others.and(item(held[0]).total) <= period
  }
}

/// When a frame ends in which something held back starts.
struct SlicingRule {
  let fitting: Admission.Fitting
  let units: [Unit]
  /// What all else in the frame takes before it, and what reads and drawing take behind it.
  let others: TimeSpan
  let drawing: TimeSpan
  let reserve: (least: TimeSpan, most: TimeSpan)
  let period: TimeSpan
  let isLearnedExactly: Bool
  /// Whether what was learned may be more than anything takes, because it includes waits for a core.
  let mayLearnMore: Bool

  /// So many frames in a row pass before something starts that does not fit.
  static let patience = 10

  /// What is started at once.
  struct Unit {
    let stated: TimeSpan
    let taken: TimeSpan

    static func + (left: Unit, right: Unit) -> Unit {
      Unit(stated: left.stated.and(right.stated), taken: left.taken.and(right.taken))
    }
  }

  init(
    _ fitting: Admission.Fitting, units: [Unit], others: TimeSpan, drawing: TimeSpan,
    reserve: (least: TimeSpan, most: TimeSpan), period: TimeSpan, isLearnedExactly: Bool,
    mayLearnMore: Bool
  ) {
    self.fitting = fitting
    self.units = units
    self.others = others
    self.drawing = drawing
    self.reserve = reserve
    self.period = period
    self.isLearnedExactly = isLearnedExactly
    self.mayLearnMore = mayLearnMore
  }

  private var longest: TimeSpan { units.map(\.taken).max() ?? .zero }

  /// Behind its begin; `burst` is what others take in as many frames in a row as `patience` says.
  func latestEnd(burst: TimeSpan) -> TimeSpan {
    let fits = period.and(overrun).and(max(.zero, drawing - reserve.least))
    let alone = others.and(longest).and(drawing)
    return mayStartAlone(burst) ? max(fits, alone) : max(fits, others.and(drawing))
  }

  /// By how much something that was expected to fit may end later.
  private var overrun: TimeSpan {
    guard fitting.lookAhead else { return max(.zero, longest - .nanoseconds(1)) }
    switch fitting.estimate {
    case .exact: return units.map { max(.zero, $0.taken - $0.stated) }.max() ?? .zero
    case .learned: return isLearnedExactly ? .zero : longest
    }
  }

  /// Whether something may have to start although it does not fit: because an empty frame has no room for it, or because
  /// others took that in that many frames in a row.
  private func mayStartAlone(_ burst: TimeSpan) -> Bool {
    // What waits for a core behind it, or before it, leaves less room than there is.
    if mayLearnMore { return true }
    let kept = expected.and(reserve.most)
    guard kept <= period else { return true }
    let room = period - kept
    return others > room && burst > room.times(Self.patience)
  }

  /// The most that something is expected to take.
  private var expected: TimeSpan {
    guard fitting.lookAhead else { return .nanoseconds(1) }
    switch fitting.estimate {
    case .exact: return units.map(\.stated).max() ?? .zero
    case .learned: return longest
    }
  }
}
