internal import FrameBudget
internal import RealTime
internal import Reports

/// What the facts about a machine mean for measuring frames on it.
struct Diagnosis {
  let facts: HostFacts
  /// Nil where the kernel does not count what its processors do.
  let load: HostLoad?
  /// How late the frame loop woke, by frame, in nanoseconds.
  let lateness: Percentiles
  /// What `bench` wrote; nil where nobody knows of a file.
  var costs: MeasuredCosts?
  let isDebugBuild: Bool

  var findings: [Finding] {
    [
      processors, known("model", facts.model), known("kernel", facts.kernel), clockSource,
      timerSlack, governor, virtualisation, busyness,
    ] + pressure + privileges + [wakeups, measuredCosts, build]
  }

  private func known(_ name: String, _ value: String?) -> Finding {
    Finding(name: name, value: value ?? "not known", verdict: .good)
  }

  private var processors: Finding {
    let value = "\(facts.cores) of \(facts.onlineCores) may be used"
    if facts.cores > 1 { return Finding(name: "processors", value: value, verdict: .good) }
    return Finding(
      name: "processors", value: value, verdict: .poor,
      remedy: "with one processor all background work competes with drawing; use two or more")
  }

  private var clockSource: Finding {
    let fast = ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "xen"]
    guard let source = facts.clockSource else { return known("clock source", nil) }
    if fast.contains(source) {
      return Finding(name: "clock source", value: source, verdict: .good)
    }
    return Finding(
      name: "clock source", value: source, verdict: .fair,
      remedy:
        "reading it is slow; where the processor has a stable counter, boot with clocksource=tsc")
  }

  private var timerSlack: Finding {
    Finding(
      name: "timer slack", value: "\(facts.timerSlack) (the frame loop asks for 1 ns)",
      verdict: .good)
  }

  private var governor: Finding {
    guard let governor = facts.governor else {
      return Finding(
        name: "governor", value: "none: left to the hardware or a hypervisor", verdict: .good)
    }
    if governor == "performance" {
      return Finding(name: "governor", value: governor, verdict: .good)
    }
    return Finding(
      name: "governor", value: governor, verdict: .fair,
      remedy: "the clock follows the load, so work takes longer after a rest; "
        + "cpupower frequency-set -g performance")
  }

  private var virtualisation: Finding {
    guard let hypervisor = facts.hypervisor else {
      return Finding(name: "virtualisation", value: "none", verdict: .good)
    }
    return Finding(
      name: "virtualisation", value: hypervisor, verdict: .fair,
      remedy:
        "a hypervisor can take processors away for milliseconds; trust medians of --repeat 5, "
        + "not single frames, or use a machine of metal")
  }

  private var busyness: Finding {
    guard let load = facts.load else { return known("load", nil) }
    let isQuiet = load < 0.5 * Double(facts.cores)
    return Finding(
      name: "load", value: "\(Figure.text(load)) over the last minute",
      verdict: isQuiet ? .good : load < Double(facts.cores) ? .fair : .poor,
      remedy: isQuiet ? nil : "stop what else runs (top shows it) and wait a minute")
  }

  private var pressure: [Finding] {
    guard let load else {
      return [
        Finding(
          name: "processor times", value: "/proc/stat cannot be read", verdict: .missing,
          remedy: "mount /proc: without it nobody knows what else ran during a measurement")
      ]
    }
    return [
      share("steal", load.stealPercent, fair: 1, remedy: "measure when the host is quieter"),
      share(
        "other processes", load.othersPercent, fair: 5,
        remedy: "stop them (top shows which) before measuring"),
    ]
  }

  private func share(_ name: String, _ percent: Double, fair: Double, remedy: String) -> Finding {
    let value = "\(Figure.percent(percent)) % of the processors' time during this check"
    if percent <= fair { return Finding(name: name, value: value, verdict: .good) }
    return Finding(
      name: name, value: value, verdict: percent <= 5 * fair ? .fair : .poor, remedy: remedy)
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
          "lanes cannot have a nice value below the present one; grant CAP_SYS_NICE to allow it"),
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
      name: name, value: isGranted ? "permitted" : "not permitted",
      verdict: isGranted ? .good : .fair, remedy: isGranted ? nil : remedy)
  }

  private var wakeups: Finding {
    let quantiles = [("p50", 0.5), ("p99", 0.99), ("max", 1.0)].map { name, q in
      "\(name) \(Figure.span(milliseconds: (lateness.quantile(q) ?? 0) / 1e6))"
    }
    let p99 = TimeSpan(nanoseconds: Int64(lateness.quantile(0.99) ?? 0))
    let verdict: Finding.Verdict =
      p99 <= .milliseconds(1) ? .good : p99 <= .milliseconds(4) ? .fair : .poor
    return Finding(
      name: "wake-up lateness", value: quantiles.joined(separator: ", "), verdict: verdict,
      remedy: verdict == .good
        ? nil : "frames begin late whatever runs in them; try --realtime, --pin, a quieter machine")
  }

  private var measuredCosts: Finding {
    guard let costs else {
      return known(
        "costs", "no \(MeasuredCosts.usualPath) here, so simulations assume the standard ones")
    }
    switch costs.calibration {
    case .failure(let error):
      return Finding(
        name: "costs", value: "\(error)", verdict: .fair,
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
      name: "costs", value: parts.compactMap(\.self).joined(separator: ", "),
      verdict: isOther || isOld ? .fair : .good,
      remedy: isOther
        ? "they are of a machine with another number of cores; framebudget bench -o FILE measures this one"
        : isOld ? "kernels and machines change; framebudget bench -o FILE measures anew" : nil)
  }

  /// After which a kernel has probably been renewed.
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
    if !isDebugBuild { return Finding(name: "build", value: "release", verdict: .good) }
    return Finding(
      name: "build", value: "debug", verdict: .fair,
      remedy: "measure with a release build: make run, or swift build -c release")
  }
}
