internal import ArgumentParser
internal import FrameBudget
internal import RealTime
internal import Reports

/// Says whether this machine is fit for measurements in real time.
struct DoctorCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Is this machine fit for real-time measurements?",
    discussion: """
      Looks at processors, clock, governor, virtualisation, load and privileges, and watches for two seconds \
      how late the frame loop wakes. Names the file of costs that bench wrote, costs.json or that of --costs, and its \
      age. Each finding comes with a verdict and, where it is not good, a remedy.

      EXAMPLES:
        framebudget doctor
        sudo framebudget doctor
        framebudget doctor --costs old/costs.json
        framebudget doctor --format json -o machine.json
      """)

  @Option(
    help: ArgumentHelp("What 'bench' measured, for the virtual engine.", valueName: "file"))
  var costs: String?

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let measured = try MeasuredCosts.read(costs)
    var place = try target.open(on: console, quiet: output.quiet)
    Interruption.install()
    let facts = HostFacts.current
    let before = HostSample.now
    let lateness = try Self.lateness()
    if let signal = Interruption.signal { return .interrupted(by: signal) }
    let load = before.flatMap { before in HostSample.now.map { HostLoad(from: before, to: $0) } }
    let findings = Diagnosis(
      facts: facts, load: load, lateness: lateness, costs: measured,
      isDebugBuild: Circumstances.isBuiltForDebugging
    ).findings
    let table = FindingsTable(findings: findings)
    switch output.format {
    case .table:
      let text = table.text(width: place.width, isColored: place.isColored(output.color))
      try place.write(text + "\n\(conclusion(findings))\n")
    case .csv: try place.write(table.records.csv)
    case .json: try place.write(table.records.json)
    }
    return findings.contains { $0.verdict == .missing } ? .unavailable : .success
  }

  /// How late the loop woke over two seconds in which it had nothing to do but to wake.
  private static func lateness() throws(ToolError) -> Percentiles {
    let scenario = Scenario(
      name: "doctor", display: Display(refresh: RefreshRate(60)), duration: .seconds(2))
    do {
      let strategy = try StrategyCatalog.strategy("main-thread", for: scenario)
      return Percentiles(try RealEngine().run(RunPlan(scenario, under: strategy)).frames.lateness)
    } catch {
      throw ToolError(.unavailable, "the frame loop cannot run here: \(error)")
    }
  }

  private func conclusion(_ findings: [Finding]) -> String {
    switch findings.map(\.verdict).max() ?? .good {
    case .good: "This machine is fit for real-time measurements."
    case .fair: "This machine is fit for real-time measurements, with the remarks above."
    case .poor: "Real-time measurements on this machine, as it is now, should not be trusted."
    case .missing: "Something is missing; real-time measurements are not possible here."
    }
  }
}
