extension Scenario {
  /// The scenario with the arrivals of each workload delayed by `delay`, which is called with the workload's name in its file.
  ///
  /// Copies of a workload are delayed together, and so are all recorded arrivals, because the recording fixes their order:
  /// for these, `delay` is called with an empty name.
  public func delayingArrivals(_ delay: (_ workload: String) -> TimeSpan) -> Scenario {
    var scenario = self
    for workload in workloads.indices {
      let arrival = workloads[workload].arrival
      let name = arrival.isRecorded ? "" : workloads[workload].fileName
      scenario.workloads[workload].arrival = arrival.later(by: delay(name))
    }
    return scenario
  }

  /// What of the workloads never arrives although the scenario lists it, as sentences: allowed, and hardly meant.
  public var missedArrivals: [String] {
    var seen: Set<String> = []
    return workloads.compactMap(missedArrival).filter { seen.insert($0).inserted }
  }

  private func missedArrival(of workload: Workload) -> String? {
    let name = workload.fileName
    switch workload.arrival {
    case .once(_, let start), .batch(_, _, let start), .rate(_, let start):
      guard start >= duration else { return nil }
      return "nothing of workload '\(name)' arrives: it starts at \(start), and the run ends at "
        + "\(duration)"
    case .at(let instants), .recorded(let instants):
      let late = instants.count { $0 >= duration }
      if instants.isEmpty { return "nothing of workload '\(name)' arrives: its 'at' is empty" }
      guard late > 0 else { return nil }
      return "\(late) of \(instants.count) items of workload '\(name)' do not arrive: the run ends "
        + "at \(duration)"
    }
  }
}

extension Arrival {
  fileprivate var isRecorded: Bool {
    if case .recorded = self { true } else { false }
  }

  /// The same arrivals, all of them later by `span`.
  package func later(by span: TimeSpan) -> Arrival {
    switch self {
    case .once(let count, let start): .once(count, start: start + span)
    case .batch(let count, let every, let start): .batch(count, every: every, start: start + span)
    case .rate(let perSecond, let start): .rate(perSecond: perSecond, start: start + span)
    case .at(let instants): .at(instants.map { $0 + span })
    case .recorded(let instants): .recorded(instants.map { $0 + span })
    }
  }
}
