extension Scenario {
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
    case .at(let instants):
      let late = instants.count { $0 >= duration }
      if instants.isEmpty { return "nothing of workload '\(name)' arrives: its 'at' is empty" }
      guard late > 0 else { return nil }
      return "\(late) of \(instants.count) items of workload '\(name)' do not arrive: the run ends "
        + "at \(duration)"
    }
  }
}
