internal import FrameBudget
internal import Reports

extension Console {
  /// Warns of what never arrives in one of `scenarios`, which are variations of one.
  func warn(of scenarios: some Sequence<Scenario>) {
    var seen: Set<String> = []
    for doubt in scenarios.flatMap(\.missedArrivals) where seen.insert(doubt).inserted {
      note("warning: \(doubt)")
    }
  }

  /// Warns where the costs that are assumed are of another machine than the simulated ones.
  func warn(of calibration: Calibration, on machines: some Sequence<Machine>) {
    let simulated = Set(machines.map(\.cores))
    if let cores = calibration.cores, let other = simulated.first(where: { $0 != cores }) {
      note(
        "warning: the costs are of a machine with \(English.count(cores, "core")), the simulated one has \(other); "
          + "--cores \(cores) simulates as many")
    }
    if let percent = calibration.wakesOnIdle, percent < Self.mostlyOnIdle {
      note(
        "warning: where the costs were measured, \(percent) % of threads that wake get an idle core; "
          + "the simulation assumes that all do")
    }
  }

  /// In percent; a few always meet another wake-up on their way.
  private static var mostlyOnIdle: Int { 90 }

  /// Says beforehand how long something takes in real time, where that is long: `2 runs in real time: about 21 s`.
  func announce(_ what: String, _ bound: String, _ length: TimeSpan) {
    guard length >= .seconds(5) else { return }
    note("\(what) in real time: \(bound) \(Figure.span(milliseconds: length.inMilliseconds))")
  }
}
