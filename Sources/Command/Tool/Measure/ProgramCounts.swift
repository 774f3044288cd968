internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// Calls and instructions of the spans of a program, in two runs.
struct ProgramCounts {
  /// By name.
  let runs: [[String: CallgrindProfile.Count]]
  /// Whether the program works for a time, so that the number of calls means nothing.
  var isTimed = false

  /// What a span's instructions are divided by, so that they are those of the same work however many calls do it.
  private enum Work {
    /// The program does the same work in each run.
    case run
    /// Frames are as many as the main loop asks for.
    case frame
    case call
  }

  /// The spans of both runs, with the names of the calibration: only letters of a name count.
  func spans(since calibration: [CountedSpan], in scenario: Scenario) -> [CountedSpan] {
    let earlier = Dictionary(calibration.map { (CountedSpan.key($0.name), $0) }) { first, _ in first
    }
    let oldFrames = Double(earlier[CountedSpan.key(Scenario.renderName)]?.calls ?? 0)
    let names = runs[0].keys.filter { name in runs.allSatisfy { ($0[name]?.calls ?? 0) > 0 } }
    return names.sorted().compactMap { name in
      let old = earlier[CountedSpan.key(name)]
      let work = work(of: name, in: scenario, wasDrawn: old == nil || oldFrames > 0)
      let counts = runs.map { run in
        let (count, works) = (run[name] ?? .init(), amount(of: work, name, in: run))
        return (count: count, works: works, cost: Double(count.instructions) / works)
      }.sorted { $0.cost < $1.cost }
      let (least, most) = (counts[0], counts[1])
      let calls = Double(least.count.calls)
      guard Double(least.count.instructions) >= calls else { return nil }
      let units = old.map { old in
        switch work {
        case .run: old.units
        case .frame: old.units * least.works / oldFrames
        case .call: calls
        }
      }
      return CountedSpan(
        name: old?.name ?? name, calls: least.count.calls,
        instructions: Self.rounded(Double(least.count.instructions) / calls),
        spread: most.cost / least.cost - 1, units: units)
    }
  }

  /// The names of spans that only one run has.
  var namesOfOneRun: [String] {
    Set(runs[0].keys).symmetricDifference(runs[1].keys).sorted()
  }

  /// Drawing counts by frame, as it does in a scenario.
  private func work(of name: String, in scenario: Scenario, wasDrawn: Bool) -> Work {
    if isTimed || name == Scenario.renderName { return .call }
    let isPart = scenario.work(called: name).contains { work in
      if case .part = work { true } else { false }
    }
    return isPart && wasDrawn && runs.allSatisfy { frames(in: $0) > 0 } ? .frame : .run
  }

  private func amount(
    of work: Work, _ name: String, in run: [String: CallgrindProfile.Count]
  ) -> Double {
    switch work {
    case .run: 1
    case .frame: Double(frames(in: run))
    case .call: Double(run[name]?.calls ?? 0)
    }
  }

  private func frames(in run: [String: CallgrindProfile.Count]) -> Int {
    run[Scenario.renderName]?.calls ?? 0
  }

  /// To four digits: the length of a path moves a few instructions.
  static func rounded(_ count: Double) -> Double {
    var unit = 1.0
    while count / unit >= 10_000 { unit *= 10 }
    return (count / unit).rounded() * unit
  }
}
