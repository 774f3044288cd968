internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetRealTime
internal import FrameBudgetReports

/// Measures the costs of hand-offs by carrier, of copying state, and how the machine schedules threads.
struct BenchCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the costs of hand-offs and snapshots, and the scheduling, on this machine.",
    discussion: """
      Every carrier gets the same events, each a closure that counts itself: in streams from one producer \
      and from two, and singly while it sleeps. Repetitions are interleaved, the order rotates, and the table \
      has medians; CSV and JSON have every repetition, JSON also what the machine does. Without --carrier it then copies and frees snapshots of \
      several sizes, lets two threads share a core, which shows for how long each keeps it, and wakes a thread while its \
      core is taken and another one idle. Less than a minute in all. On a busy machine -o leaves out the figures that others \
      have disturbed, and says which.

      EXAMPLES:
        framebudget bench
        framebudget bench --carrier scheduler,dispatch,nio --repeat 20
        framebudget bench --quick --format csv > hand-offs.csv
        framebudget bench -o costs.json
      """)

  @Option(
    help: ArgumentHelp(
      "Only these carriers; see 'framebudget list carriers'.", valueName: "name[,...]"),
    completion: .carriers)
  var carrier: [String] = []

  @Option(
    name: .customLong("repeat"), parsing: .unconditional,
    help: .repetitions,
    transform: WholeNumber.repetitions)
  var repetitions = 5

  @Flag(help: "Fewer events, for a first estimate in a few seconds.")
  var quick = false

  @Option(
    name: .output,
    help: ArgumentHelp("Write the costs, for 'run --costs'.", valueName: "file"),
    completion: .file())
  var costs: String?

  @OptionGroup var output: OutputOptions<OutputFormat>

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let bench = HandOffBench(
      of: .ofThisBuild, subjects: try subjects(on: console), repetitions: repetitions,
      size: quick ? .quick : .full)
    var file: NewFile?
    if let costs { file = try NewFile(costs, on: console) }
    var circumstances = Circumstances.now(isReal: true)
    let before = HostSample.now
    Interruption.install()
    let measured = try measure(bench.plan, named: { $0.subject.name }, on: console) {
      (step) throws(CarrierError) in
      try bench.measure(step.subject, repetition: step.repetition)
    }
    let copies = carrier.isEmpty ? try measureCopies(on: console) : []
    let between = HostSample.now
    circumstances.measured(from: before, to: between)
    let machine = carrier.isEmpty && Interruption.signal == nil ? measureMachine(on: console) : nil
    let status = try report(measured, copies, machine, circumstances, on: console)
    guard status == .success, let costs else { return status }
    let keepsCosts = keeps("hand-offs and copies", from: before, to: between, on: console)
    let keepsMachine =
      machine == nil || keeps("what the machine does", from: between, to: .now, on: console)
    try file?.write(
      CostsJSON.text(
        keepsCosts ? measured : [], copies: keepsCosts ? copies : [],
        machine: keepsMachine ? machine : nil))
    try file.take()?.commit()
    if !output.quiet { console.note("the costs are in \(costs)") }
    return status
  }

  /// Returns whether figures that were measured between two samples belong into the file of costs, and says why if they do
  /// not.
  private func keeps(
    _ figures: String, from before: HostSample?, to after: HostSample?, on console: Console
  ) -> Bool {
    guard let before, let after else { return true }
    let reason = Self.reason(toLeaveOut: figures, HostLoad(from: before, to: after))
    if let reason, !output.quiet { console.note(reason) }
    return reason == nil
  }

  /// The reason why `figures` from a machine under `load` are left out of the file; nil if they are kept.
  static func reason(toLeaveOut figures: String, _ load: HostLoad) -> String? {
    guard load.isDisturbing else { return nil }
    let others = Figure.percent(max(load.othersPercent, load.stealPercent))
    return
      "the file leaves out \(figures), so --costs assumes the default: others used \(others) % of the processors"
  }

  /// The carriers of `--carrier`, or all of this build, in the order of `list carriers`.
  private func subjects(on console: Console) throws(ToolError) -> [BenchSubject] {
    let names = carrier.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let carriers = CarrierSupply.ofThisBuild
    let kinds = CarrierKind.allCases.filter { $0 != .main }
    let known = kinds.map(\.rawValue).sorted()
    for name in names.map(String.init) where !known.contains(name) {
      throw ToolError(
        .usage,
        "--carrier: '\(name)' is not a carrier that can be measured"
          + Spelling.suggestion(for: name, among: known))
    }
    for kind in kinds where names.isEmpty || names.contains(Substring(kind.rawValue)) {
      guard let lack = carriers.lack(of: kind) else { continue }
      guard names.isEmpty else { throw ToolError(.unavailable, "\(lack)") }
      if !output.quiet { console.note("\(kind.rawValue) is left out: \(lack)") }
    }
    let all = BenchSubject.all(of: carriers)
    return names.isEmpty
      ? all : all.filter { names.contains(Substring(($0.carrier ?? .scheduler).rawValue)) }
  }

  /// Measures step by step, until all are done or the user interrupts.
  private func measure<Step, Measurement>(
    _ plan: [Step], named name: (Step) -> String, on console: Console,
    _ measure: (Step) throws(CarrierError) -> [Measurement]
  ) throws(ToolError) -> [Measurement] {
    let bar = output.quiet ? nil : StepBar(on: console, steps: plan.count)
    defer { bar?.wipe() }
    var measured: [Measurement] = []
    for (index, step) in plan.enumerated() where Interruption.signal == nil {
      bar?.draw(name(step), done: index)
      do {
        measured += try measure(step)
      } catch {
        throw ToolError(.unavailable, "\(name(step)): \(error)")
      }
    }
    return measured
  }

  private func measureCopies(on console: Console) throws(ToolError) -> [CopyMeasurement] {
    let bench = CopyBench(repetitions: repetitions, snapshots: quick ? 10 : 60)
    return try measure(bench.plan, named: { "\($0.records) records" }, on: console) {
      (step) throws(CarrierError) in
      [try bench.measure(records: step.records, repetition: step.repetition)]
    }
  }

  /// How the machine handles threads; nil, with a note, if it cannot be measured.
  private func measureMachine(on console: Console) -> MachineMeasurement? {
    let bench = quick ? MachineBench(span: .milliseconds(200), wakeUps: 50) : MachineBench()
    do {
      return try bench.run()
    } catch {
      if !output.quiet { console.note("slices and wake-ups are left out: \(error)") }
      return nil
    }
  }

  private func report(
    _ measured: [HandOffMeasurement], _ copies: [CopyMeasurement], _ machine: MachineMeasurement?,
    _ circumstances: Circumstances, on console: Console
  ) throws(ToolError) -> ExitStatus {
    if !measured.isEmpty {
      try console.print(text(measured, copies, machine, circumstances, on: console))
    }
    if !output.quiet {
      for warning in MeasurementWarnings.machine(circumstances) {
        console.note("warning: \(warning)")
      }
    }
    if let signal = Interruption.signal {
      let left = measured.isEmpty ? " before the first one" : "; the result has those so far"
      let file = costs.map { ", and \($0) is not written" } ?? ""
      console.note("the measurements were interrupted\(left)\(file)")
      return .interrupted(by: signal)
    }
    return .success
  }

  private func text(
    _ measured: [HandOffMeasurement], _ copies: [CopyMeasurement], _ machine: MachineMeasurement?,
    _ circumstances: Circumstances, on console: Console
  ) -> String {
    switch output.format {
    case .table:
      BenchReport.text(
        measured, copies: copies, machine: machine, width: console.width,
        isColored: console.isColored(output.color))
    case .csv: BenchCSV.text(measured, copies: copies)
    case .json: BenchJSON.text(measured, copies: copies, machine: machine, circumstances)
    }
  }
}
