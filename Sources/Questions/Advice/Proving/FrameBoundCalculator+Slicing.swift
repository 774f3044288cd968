internal import FrameBudget

// The work that time slicing starts in the rest of a frame. `AdmissionGate.starts` has the rule.
extension FrameBoundCalculator {
  /// Adds the largest cost of held-back items besides the `counts` of the others and `drawing`.
  mutating func addSlicing(_ counts: PerWorkload<Int>, _ drawing: [FrameBound.Part]) {
    guard case .fitting(let fitting) = arrangement.admission else { return }
    let held = scenario.workloads.indices.filter(isHeldBack)
    guard !held.isEmpty else { return }
    let units = held.flatMap { self.units($0, fitting.unit) }
    let rule = SlicingRule(
      fitting: fitting, units: units, others: parts.map(\.total).total,
      drawing: drawing.map(\.total).total, reserve: reserve(fitting.estimate), period: period,
      isLearnedExactly: isLearnedExactly(held, counts, drawing), mayLearnMore: sharesCores)
    let whole = all(held)?.and(rule.others).and(rule.drawing) ?? .limit
    let end = min(rule.latestEnd(burst: burstOfOthers(counts)), whole)
    add(.slicing, "", 1, max(.zero, end - rule.others - rule.drawing))
  }

  /// The units that start at once: their stated and their actual cost.
  private func units(
    _ workload: WorkloadIndex, _ unit: Admission.Fitting.Unit
  ) -> [SlicingRule.Unit] {
    let time = item(workload)
    let steps = time.steps.enumerated().map { index, step in
      let segment = Segment(workload: workload, steps: index..<(index + 1), from: nil, to: nil)
      return SlicingRule.Unit(
        stated: step.stated, taken: [step.logic, step.wait, switchTime(in: segment)].total)
    }
    let result = SlicingRule.Unit(stated: time.result.stated, taken: time.result.taken)
    guard unit == .step, let last = steps.last else { return [steps.reduce(result, +)] }
    return steps.dropLast() + [last + result]
  }

  /// The cost of all held-back items of the run; nil if unbounded.
  private func all(_ held: [WorkloadIndex]) -> TimeSpan? {
    var sum = TimeSpan.zero
    for workload in held {
      guard let count = arrivalsInRun(workload) else { return nil }
      let whole = units(workload, .item).map(\.taken).total
      sum = sum.and(whole.times(count))
    }
    return sum
  }

  /// The cost of the other items in the longest series of frames for which a held-back item waits without starting.
  private func burstOfOthers(_ counts: PerWorkload<Int>) -> TimeSpan {
    let length = window.times(SlicingRule.maxFruitlessFrames)
    return counts.indices.filter { !isHeldBack($0) }.map { workload in
      scenario.workloads[workload].arrival.most(within: length)
        .map { item(workload).total.times($0) } ?? .limit
    }.total
  }

  /// The least and the most time that is reserved for reads and drawing.
  private func reserve(_ estimate: Admission.Fitting.Estimate) -> (least: TimeSpan, most: TimeSpan)
  {
    let costs =
      [scenario.display.render] + scenario.frameParts.map(\.cpu) + scenario.reads.map(\.cpu)
    let stated = costs.compactMap(\.largest).total
    guard estimate == .learned else { return (stated, stated) }
    let most = costs.map { slow($0.largest ?? .zero) }.total
    // Learned from the frames of the warm-up; before the first one nothing is reserved.
    guard scenario.warmup > .zero else { return (.zero, most) }
    // On cores of other speeds each part of a frame is rounded separately, but the learned sum is not.
    let isRounded = machine.speeds.contains { $0 != 1000 }
    let rounding = isRounded ? TimeSpan.nanoseconds(Int64(costs.count + 1)) : .zero
    return (max(.zero, fast(costs.map(\.smallest).total) - rounding), most)
  }

  /// Whether the learned estimate is exact from the first item on: there is one kind of item, it always takes the same time,
  /// and the first one certainly fits.
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

/// The end of a frame in which held-back work starts.
struct SlicingRule {
  let fitting: Admission.Fitting
  let units: [Unit]
  /// The cost of all other work in the frame before the started work, and of reads and drawing after it.
  let others: TimeSpan
  let drawing: TimeSpan
  let reserve: (least: TimeSpan, most: TimeSpan)
  let period: TimeSpan
  let isLearnedExactly: Bool
  /// Whether the learned estimate may exceed all costs, because it includes waits for a core.
  let mayLearnMore: Bool

  /// The number of frames after which a unit starts even if it does not fit.
  static let maxFruitlessFrames = 10

  /// The unit of work that starts at once.
  struct Unit {
    let stated: TimeSpan
    let taken: TimeSpan

    static func + (left: Unit, right: Unit) -> Unit {
      Unit(stated: left.stated.and(right.stated), taken: left.taken.and(right.taken))
    }
  }

  private var longest: TimeSpan { units.map(\.taken).max() ?? .zero }

  /// After the frame's begin; `burst` is the cost of other items in `maxFruitlessFrames` consecutive frames.
  func latestEnd(burst: TimeSpan) -> TimeSpan {
    let fits = period.and(overrun).and(max(.zero, drawing - reserve.least))
    let alone = others.and(longest).and(drawing)
    return mayStartAlone(burst) ? max(fits, alone) : max(fits, others.and(drawing))
  }

  /// How much later a unit that was expected to fit may end.
  private var overrun: TimeSpan {
    guard fitting.lookAhead else { return max(.zero, longest - .nanoseconds(1)) }
    switch fitting.estimate {
    case .exact: return units.map { max(.zero, $0.taken - $0.stated) }.max() ?? .zero
    case .learned: return isLearnedExactly ? .zero : longest
    }
  }

  /// Whether a unit may have to start although it does not fit: because it does not fit into an empty frame, or because other
  /// items used the time in that many consecutive frames.
  private func mayStartAlone(_ burst: TimeSpan) -> Bool {
    // Waits for a core, before or after the unit, leave less time than estimated.
    if mayLearnMore { return true }
    let kept = expected.and(reserve.most)
    guard kept <= period else { return true }
    let room = period - kept
    return others > room && burst > room.times(Self.maxFruitlessFrames)
  }

  /// The largest expected cost of a unit.
  private var expected: TimeSpan {
    guard fitting.lookAhead else { return .nanoseconds(1) }
    switch fitting.estimate {
    case .exact: return units.map(\.stated).max() ?? .zero
    case .learned: return longest
    }
  }
}
