// Scenarios that are valid, but seldom mean what their author wanted.
extension Scenario {
  /// Sentences about parts of drawing that nothing requests, items that never start, and answers that are late however they are
  /// arranged.
  public var traps: [String] { (partsWithoutFrames + neverStarting + lateAlone).distinct() }

  /// A list that scrolls wants frames by itself.
  private var partsWithoutFrames: [String] {
    guard display.frames == .onDemand(at: []), !frameParts.isEmpty,
      !workloads.contains(where: \.draws)
    else { return [] }
    return [
      "the parts of drawing (ui.frame) run only when a result is shown: no workload has draws: true; "
        + "for a list that scrolls, add one, or frames: always"
    ]
  }

  /// Each arrival restarts the wait.
  private var neverStarting: [String] {
    workloads.compactMap { workload in
      guard case .debounce(let wait)? = workload.admission,
        case .batch(_, let every, _) = workload.arrival, every <= wait
      else { return nil }
      return "no item of workload \(workload.fileName) starts before the last: one arrives every "
        + "\(every), and each waits \(wait) for a newer one (admission: debounce)"
    }
  }

  private var lateAlone: [String] {
    workloads.compactMap { workload in
      guard let allowed = workload.respondWithin else { return nil }
      let least = workload.leastTime(atSpeed: fastest)
      guard least > allowed else { return nil }
      return "every answer of workload \(workload.fileName) is late: its steps one after another "
        + "take \(least) at least, longer than respond_within, \(allowed)"
    }
  }

  /// The most that cores and arrangements shorten a step.
  private var fastest: Double {
    machine.fastest * (strategies.map(\.arrangement.speedup).max() ?? 1)
  }
}

extension Workload {
  /// The shortest time from an item's first step to its answer if nothing else runs: of steps that others await.
  fileprivate func leastTime(atSpeed speed: Double) -> TimeSpan {
    let answering = steps.firstIndex(where: \.answers) ?? steps.indices.last ?? -1
    let steps = steps.prefix(answering + 1).filter(\.isAwaited)
    // Steps that are repeated for days are more nanoseconds than an integer has.
    let sum = steps.reduce(0.0) { sum, step in
      let waits = step.wait.smallest + (step.suspension?.span.smallest ?? .zero)
      let once = Double(step.load.duration.smallest.nanoseconds) / speed + Double(waits.nanoseconds)
      return sum + once * Double(step.repeats)
    }
    return .nanoseconds(Int64(min(sum.rounded(), 0x1p62)))
  }
}
