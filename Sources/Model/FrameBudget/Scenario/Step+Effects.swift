extension Scenario {
  /// Sentences about keys of steps that can have no effect under any of its strategies.
  package var stepKeysWithoutEffect: [String] {
    workloads.indices.flatMap { workload in
      workloads[workload].steps.indices.flatMap { place in
        reasons(against: place, of: workload).map { key, reason in
          let step = workloads[workload].steps[place].name
          return
            "\(key) of step \(step) of workload \(workloads[workload].fileName) has no effect: \(reason)"
        }
      }
    }.distinct()
  }

  private func reasons(
    against place: Int, of workload: WorkloadIndex
  ) -> [(key: String, reason: String)] {
    let step = workloads[workload].steps[place]
    var reasons: [(key: String, reason: String)] = []
    if step.answers, workloads[workload].earlyAnswer == nil {
      reasons.append(("answers", "an item answers where it ends"))
    }
    guard let slice = step.slice else { return reasons }
    if let most = step.load.duration.fixed, most <= slice {
      reasons.append(("slices", "the step is never longer than \(slice)"))
    } else if !strategies.contains(where: { cuts(place, of: workload, under: $0.arrangement) }) {
      reasons.append(
        ("slices", "no strategy lets items on the main thread take turns in it"))
    }
    return reasons
  }

  private func cuts(
    _ place: Int, of workload: WorkloadIndex, under arrangement: Arrangement
  ) -> Bool {
    arrangement.givesTurnsToSteps && arrangement.lanes(of: workload, in: self)[place] == .main
  }
}
