/// Conditions that every run of any scenario, strategy and engine meets. A run that breaks one is invalid.
enum Invariants {
  /// The broken invariants, each as a sentence with its numbers.
  static func broken(
    by frames: FrameLog, _ items: [ItemLog], _ totals: RunTotals, promisesOrder: PerWorkload<Bool>
  ) -> [String] {
    var broken = brokenFrames(frames)
    for (log, isOrdered) in zip(items, promisesOrder) {
      broken += brokenItems(log, promisesOrder: isOrdered)
    }
    if totals.exclusionViolations > 0 {
      broken.append("two threads were inside one service \(totals.exclusionViolations) times")
    }
    return broken + totals.losses
  }

  private static func brokenFrames(_ frames: FrameLog) -> [String] {
    var broken: [String] = []
    let dropped = frames.expected - frames.presented
    let caused = frames.dropped
    if dropped != caused { broken.append("\(dropped) dropped frames, but \(caused) with a cause") }
    let negative = Phase.allCases.filter { frames.negative[$0] < .zero }.map(\.name)
    if !negative.isEmpty { broken.append("negative time in \(negative.joined(separator: ", "))") }
    if frames.works.contains(where: { $0 < 0 }) { broken.append("a frame of negative length") }
    let late = frames.startsAfterLastVsync
    if late > 0 { broken.append("\(late) frames began at the run's last vsync or later") }
    return broken
  }

  private static func brokenItems(_ log: ItemLog, promisesOrder: Bool) -> [String] {
    var broken: [String] = []
    let accounted = log.doneCount + log.pendingCount + log.cancelledCount + log.replacedCount
    if accounted != log.arrivals.count {
      broken.append(
        "\(log.workload): \(log.arrivals.count) items arrived, but \(accounted) are accounted for")
    }
    if log.impossibleCount > 0 {
      broken.append(
        "\(log.workload): \(log.impossibleCount) items done twice, counted twice or not arrived")
    }
    let early = zip(log.arrivals, log.completions).count { $1 >= 0 && $1 < $0 }
    if early > 0 { broken.append("\(log.workload): \(early) items done before they arrived") }
    if promisesOrder && log.orderViolations > 0 {
      broken.append("\(log.workload): \(log.orderViolations) items done out of order")
    }
    return broken
  }
}

extension Arrangement {
  /// Whether the items of a workload are guaranteed to be done in the order of their arrival.
  public var promisesOrder: Bool {
    // Items differ in how far they are when their time ends.
    if let yielding, yielding.yieldsToOthers, yielding.grain != .step { return false }
    return lanes.allSatisfy { lane in
      switch lane.carrier.description.order {
      case .firstInFirstOut: lane.width == 1
      case .perWorkload: true
      // Tasks that synchronous code starts promise none: on a busy machine some tens of 1400 items of actors overtook others.
      // Virtual time keeps their order all the same, because no measured rule says who overtakes whom.
      case .none: false
      }
    }
  }
}

extension RunPlan {
  /// By workload: whether its items are guaranteed to be done in the order of their arrival. If a part of an item runs beside
  /// the rest, the item may wait for it while the next item does not have to; suspensions differ in length; and if steps are cut
  /// into slices, an item with fewer of them may overtake.
  var promisesOrder: PerWorkload<Bool> {
    workloads.mapValues { workload in
      arrangement.promisesOrder && !workload.hasForks && !workload.suspends
        && !workload.takesTurns(under: arrangement)
    }
  }
}

extension WorkloadPlan {
  /// Whether other items may run between the slices of its steps.
  fileprivate func takesTurns(under arrangement: Arrangement) -> Bool {
    arrangement.yielding?.yieldsToOthers ?? false && steps.contains { $0.slice != nil }
  }
}
