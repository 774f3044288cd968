internal import ArgumentParser
internal import FrameBudget
internal import Glibc
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import FrameBudgetScenarios

/// Checks whether this machine is fit for real-time measurements.
struct DoctorCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check whether this machine is fit for real-time measurements.",
    discussion: """
      Checks processors, clock, governor, virtualisation, load and privileges, and measures for two seconds how late the \
      frame loop wakes. It also shows the age of the measured costs, costs.json or the file of --costs. Each finding has a \
      verdict and, unless it is good, a remedy.

      EXAMPLES:
        framebudget doctor
        sudo framebudget doctor
        framebudget doctor --costs old/costs.json
        framebudget doctor --format json -o machine.json
      """)

  @Option(
    help: ArgumentHelp("A file of costs from 'bench' (virtual engine).", valueName: "file"),
    completion: .file())
  var costs: String?

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let measured = try MeasuredCosts.read(costs)
    var place = try target.open(on: console, quiet: output.quiet)
    Interruption.install()
    let findings = try Diagnosis.measured(measured).findings
    if let signal = Interruption.signal {
      console.note("interrupted; there is no result")
      return .interrupted(by: signal)
    }
    let table = FindingsTable(findings: findings)
    let text = table.text(width: place.width, isColored: place.isColored(output.color))
    try place.write(output.format.text(table.records, text + "\n\(conclusion(findings))\n"))
    return findings.contains { $0.verdict == .missing } ? .unavailable : .success
  }

  private func conclusion(_ findings: [Finding]) -> String {
    switch findings.map(\.verdict).max() ?? .good {
    case .good: "This machine is fit for real-time measurements."
    case .fair: "This machine is fit for real-time measurements, with the remarks above."
    case .poor: "Real-time measurements on this machine should not be trusted at the moment."
    case .missing: "Something is missing; real-time measurements are not possible here."
    }
  }
}

/// Judges the facts about a machine for measuring frames.
struct Diagnosis {
  let facts: HostFacts
  /// Nil if the kernel does not count processor times.
  let load: HostLoad?
  /// How late the frame loop woke, by frame, in nanoseconds.
  let lateness: Percentiles
  /// The output of `bench`; nil if there is no file.
  var costs: MeasuredCosts?
  let isDebugBuild: Bool

  /// Of this machine now, over two seconds.
  static func measured(_ costs: MeasuredCosts?) throws(ToolError) -> Diagnosis {
    let (facts, before) = (HostFacts.current, HostSample.now)
    let lateness = try lateness()
    return Diagnosis(
      facts: facts, load: before.flatMap { HostLoad(since: $0) }, lateness: lateness,
      costs: costs, isDebugBuild: Circumstances.isBuiltForDebugging)
  }

  /// The lateness of an empty frame loop over two seconds.
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

  var findings: [Finding] {
    [
      processors, known("model", facts.model), known("kernel", facts.kernel), clockSource,
      timerSlack, governor, virtualisation, busyness,
    ] + pressure + privileges + [wakeups, measuredCosts, build]
  }

  private func known(_ name: String, _ value: String?) -> Finding {
    Finding(name, value ?? "not known")
  }

  private var processors: Finding {
    Finding(
      "processors", "\(facts.cores) of \(facts.onlineCores) may be used",
      facts.cores > 1 ? .good : .poor,
      remedy: "with one processor all background work competes with drawing; use two or more")
  }

  private var clockSource: Finding {
    let fast = ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "xen"]
    guard let source = facts.clockSource else { return known("clock source", nil) }
    return Finding(
      "clock source", source, fast.contains(source) ? .good : .fair,
      remedy:
        "reading it is slow; if the processor has a stable counter, boot with clocksource=tsc")
  }

  private var timerSlack: Finding {
    Finding("timer slack", "\(facts.timerSlack) (the frame loop requests 1 ns)")
  }

  private var governor: Finding {
    guard let governor = facts.governor else {
      return Finding("governor", "none: controlled by the hardware or a hypervisor")
    }
    return Finding(
      "governor", governor, governor == "performance" ? .good : .fair,
      remedy: "the clock follows the load, so work takes longer after a rest; "
        + "cpupower frequency-set -g performance")
  }

  private var virtualisation: Finding {
    guard let hypervisor = facts.hypervisor else { return Finding("virtualisation", "none") }
    return Finding(
      "virtualisation", hypervisor, .fair,
      remedy:
        "a hypervisor can take processors away for milliseconds; trust medians of --repeat 5, "
        + "not single frames, or use a physical machine")
  }

  private var busyness: Finding {
    guard let load = facts.load else { return known("load", nil) }
    let isQuiet = load < 0.5 * Double(facts.cores)
    return Finding(
      "load", "\(Figure.text(load)) over the last minute",
      isQuiet ? .good : load < Double(facts.cores) ? .fair : .poor,
      remedy: "stop other processes (see top) and wait a minute")
  }

  private var pressure: [Finding] {
    guard let load else {
      return [
        Finding(
          "processor times", "/proc/stat cannot be read", .missing,
          remedy: "mount /proc: without it the load of other processes is unknown")
      ]
    }
    return [
      share("steal", load.stealPercent, fair: 1, remedy: "measure when the host is quieter"),
      share(
        "other processes", load.othersPercent, fair: 5,
        remedy: "stop them (see top) before measuring"),
    ]
  }

  private func share(_ name: String, _ percent: Double, fair: Double, remedy: String) -> Finding {
    Finding(
      name, "\(Figure.percent(percent)) % of the processors' time during this check",
      percent <= fair ? .good : percent <= 5 * fair ? .fair : .poor, remedy: remedy)
  }

  private var privileges: [Finding] {
    let may = facts.privileges
    return [
      privilege(
        "real-time priority", may.realtime,
        remedy:
          "--realtime will be refused; run as root, grant CAP_SYS_NICE or raise the rtprio limit"),
      privilege(
        "negative nice", may.negativeNice,
        remedy:
          "lanes cannot have a nice value below the current one; grant CAP_SYS_NICE to allow it"),
      privilege(
        "affinity", may.affinity && facts.cores > 1,
        remedy: "--pin will be refused; it needs two processors and the right to choose among them"),
      privilege(
        "no deep sleep", may.noDeepSleep,
        remedy: "/dev/cpu_dma_latency cannot be opened: wake-ups from deep sleep take longer, "
          + "on machines that sleep deeply"),
    ]
  }

  private func privilege(_ name: String, _ isGranted: Bool, remedy: String) -> Finding {
    Finding(
      name, isGranted ? "permitted" : "not permitted", isGranted ? .good : .fair, remedy: remedy)
  }

  private var wakeups: Finding {
    let quantiles = [("p50", 0.5), ("p99", 0.99), ("max", 1.0)].map { name, q in
      "\(name) \(Figure.span(milliseconds: (lateness.quantile(q) ?? 0) / 1e6))"
    }
    let p99 = TimeSpan(nanoseconds: Int64(lateness.quantile(0.99) ?? 0))
    return Finding(
      "wake-up lateness", quantiles.joined(separator: ", "),
      p99 <= .milliseconds(1) ? .good : p99 <= .milliseconds(4) ? .fair : .poor,
      remedy: "frames begin late whatever runs in them; try --realtime, --pin, a quieter machine")
  }

  private var measuredCosts: Finding {
    guard let costs else {
      return known(
        "costs", "no \(MeasuredCosts.usualPath) here, so simulations assume the standard ones")
    }
    switch costs.calibration {
    case .failure(let error):
      return Finding(
        "costs", "\(error)", .fair,
        remedy: "framebudget bench -o FILE writes a file that --costs can read")
    case .success(let calibration): return finding(costs, calibration)
    }
  }

  private func finding(_ costs: MeasuredCosts, _ calibration: Calibration) -> Finding {
    let parts = [
      "\(costs.path), written \(Self.ago(costs.age))",
      calibration.cores.map { "on \(English.count($0, "core"))" },
      calibration.slice.map { "with slices of \($0)" },
    ]
    let isOther = calibration.cores.map { $0 != facts.cores } ?? false
    let isOld = costs.age > Self.stale
    return Finding(
      "costs", parts.compactMap(\.self).joined(separator: ", "), isOther || isOld ? .fair : .good,
      remedy: isOther
        ? "they are from a machine with another number of cores; measure this one with framebudget bench -o FILE"
        : "kernels and machines change; measure again with framebudget bench -o FILE")
  }

  /// By then the kernel has probably been updated.
  private static let stale = TimeSpan.seconds(90 * 86_400)

  private static func ago(_ age: TimeSpan) -> String {
    let seconds = Int(age.nanoseconds / 1_000_000_000)
    for (length, unit) in [(86_400, "day"), (3600, "hour"), (60, "minute")]
    where seconds >= length {
      return "\(English.count(seconds / length, unit)) ago"
    }
    return "just now"
  }

  private var build: Finding {
    Finding(
      "build", isDebugBuild ? "debug" : "release", isDebugBuild ? .fair : .good,
      remedy: "measure with a release build: make run, or swift build -c release")
  }
}

/// A fact about the machine, what it means for measurements, and what can be done about it.
struct Finding: FileRecord {
  var name = ""
  var value = ""
  var verdict = Verdict.good
  /// Nil if there is nothing to do.
  var remedy: String?

  static let columns = [
    Column<Self>("name", "the checked property", at: \.name),
    Column("value", "the measured value", at: \.value),
    Column("verdict", "good, fair, poor, or missing", at: \.verdict),
    Column("remedy", "how to improve it", at: \.remedy),
  ]
  static let file = "file of 'doctor'"
  static let required = ["name", "value", "verdict"]
  static let maxLines = 1000

  enum Verdict: String, CellValue, CaseIterable {
    case good, fair, poor
    /// A requirement of measurements is missing.
    case missing

    var style: TextStyle {
      switch self {
      case .good: .green
      case .fair: .yellow
      case .poor, .missing: .red
      }
    }
  }
}

extension Finding {
  /// A good one needs no remedy.
  fileprivate init(
    _ name: String, _ value: String, _ verdict: Verdict = .good, remedy: String? = nil
  ) {
    self.init(
      name: name, value: value, verdict: verdict, remedy: verdict == .good ? nil : remedy)
  }
}

extension Finding.Verdict: Comparable {
  /// The worse one is greater.
  static func < (left: Self, right: Self) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}

/// The findings for people: a line for each, with its remedy below.
struct FindingsTable {
  let findings: [Finding]

  func text(width: Int, isColored: Bool) -> String {
    let column = (findings.map(\.name.count).max() ?? 0) + 2
    let left = 9 + column
    return findings.flatMap { finding in
      let verdict = "\(finding.verdict)"
      let mark = finding.verdict.style.paint(verdict, isColored) + gap(9 - verdict.count)
      let values = Paragraph.wrapped(finding.value, width: max(20, width - left))
      let first = mark + finding.name + gap(column - finding.name.count) + (values.first ?? "")
      let remedies =
        finding.remedy.map { Paragraph.wrapped($0, width: max(20, width - left)) } ?? []
      let below = values.dropFirst() + remedies.map { TextStyle.dim.paint($0, isColored) }
      return [first] + below.map { gap(left) + $0 }
    }.map { $0 + "\n" }.joined()
  }

  /// For programs.
  var records: RecordTable {
    RecordTable("findings", Finding.columns, findings)
  }

  private func gap(_ count: Int) -> String { String(repeating: " ", count: count) }
}

/// A file of costs that `bench` wrote.
struct MeasuredCosts {
  let path: String
  /// Since it was last written.
  let age: TimeSpan
  /// Its calibration; an error if it is not a file of costs.
  let calibration: Result<Calibration, ScenarioError>

  /// The path in the examples of `bench`.
  static let usualPath = "costs.json"

  /// Reads the file at `path`, or at the usual path if there is one.
  static func read(_ path: String?) throws(ToolError) -> MeasuredCosts? {
    let place = path ?? usualPath
    guard let bytes = try path.map(InputBytes.readInput) ?? (try? InputBytes.read(place)) else {
      return nil
    }
    let calibration = Result { () throws(ScenarioError) in
      try CostsFile.parse(bytes, file: place).calibration
    }
    return MeasuredCosts(path: place, age: age(of: place), calibration: calibration)
  }

  private static func age(of path: String) -> TimeSpan {
    var (file, now) = (stat(), timespec())
    guard unsafe stat(path, &file) == 0, unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else {
      return .zero
    }
    return .seconds(Int64(max(0, now.tv_sec - file.st_mtim.tv_sec)))
  }
}
