package import FrameBudget

/// Reasons not to trust the figures, each with its remedy.
public enum MeasurementWarnings {
  public struct Warning: Hashable, Sendable, CustomStringConvertible {
    public let finding: String
    public let remedy: String

    public var description: String { "\(finding); \(remedy)" }
  }

  /// With a later wake-up the figures of a quiet machine would differ.
  static let latenessLimit = TimeSpan.milliseconds(2)

  public static func warnings(_ rows: [ReportRow], _ circumstances: Circumstances) -> [Warning] {
    let learned = doubtfulReplays(rows)
    let real = rows.filter { $0.log.engine == .real }
    guard !real.isEmpty else { return learned }
    let runs = RepeatedRun.grouped(real.map(\.record))
    return learned + machine(circumstances) + refusals(real) + lateWakeups(runs)
      + dropsOfOthers(runs)
  }

  /// A warning if runs or searches are missing.
  static func interruption(_ circumstances: Circumstances) -> [Warning] {
    guard circumstances.isInterrupted else { return [] }
    return [
      Warning(
        finding: "the command was interrupted, so results are missing",
        remedy: "compare only those that are here, or let it end")
    ]
  }

  /// Warnings for scenarios that were learned from recordings with poor replays.
  private static func doubtfulReplays(_ rows: [ReportRow]) -> [Warning] {
    let learned = Set(rows.compactMap(\.log.learned)).sorted { $0.source < $1.source }
    return learned.compactMap { learned -> Warning? in
      guard let (finding, remedy) = learned.replay.warning else { return nil }
      return Warning(
        finding: "the scenario was learned from \(learned.source), and \(finding)",
        remedy: remedy)
    }.distinct()
  }

  /// Reasons not to trust any figure measured in real time under these circumstances.
  public static func machine(_ circumstances: Circumstances) -> [Warning] {
    var warnings: [Warning] = []
    if circumstances.isDebugBuild {
      warnings.append(
        Warning(
          finding: "this is a debug build: its own work is 2 to 95 times slower",
          remedy: "measure with a release build (make run, or swift build -c release)"))
    }
    if let pressure = circumstances.pressure { warnings += busyMachine(pressure) }
    return warnings
  }

  private static func busyMachine(_ pressure: Circumstances.Pressure) -> [Warning] {
    var warnings: [Warning] = []
    if pressure.stealPercent > HostLoad.stealLimit {
      let share = Figure.percent(pressure.stealPercent)
      warnings.append(
        Warning(
          finding:
            "the hypervisor gave \(share) % of the processors' time to other virtual machines (steal)",
          remedy: "measure again when the host is quieter, or on a dedicated machine"))
    }
    if pressure.othersPercent > HostLoad.othersLimit {
      let share = Figure.percent(pressure.othersPercent)
      let load = Figure.text(pressure.loadBefore)
      warnings.append(
        Warning(
          finding: "other processes used \(share) % of the processors (load \(load) at the start)",
          remedy: "stop them (see top) and measure again"))
    }
    return warnings
  }

  private static func refusals(_ rows: [ReportRow]) -> [Warning] {
    let sentences = Set(rows.flatMap(\.log.totals.refusals)).sorted()
    return sentences.map {
      Warning(
        finding: $0,
        remedy: "the change was skipped; run as root, or allow lower values (ulimit -e)")
    }
  }

  private static func lateWakeups(_ runs: [RepeatedRun]) -> [Warning] {
    let late = runs.compactMap { run -> (label: String, milliseconds: Double)? in
      guard let p99 = run.typical[.wakeupLateness(.p99)] else { return nil }
      return p99 * 1000 > Double(latenessLimit.nanoseconds) ? (run.label, p99 / 1000) : nil
    }
    guard let worst = late.max(by: { $0.milliseconds < $1.milliseconds }) else { return [] }
    let span = Figure.span(milliseconds: worst.milliseconds)
    return [
      Warning(
        finding: "the frame loop woke up to \(span) late (p99, \(worst.label))",
        remedy:
          "find the reason with framebudget doctor; --realtime and --pin keep other threads off the loop's core"
      )
    ]
  }

  private static func dropsOfOthers(_ runs: [RepeatedRun]) -> [Warning] {
    func words(_ drops: (RunRecord) -> Int) -> String? {
      let found = runs.compactMap { run -> String? in
        let count = drops(run.typical)
        return count > 0 ? "\(count) of \(run.label)" : nil
      }
      return found.isEmpty ? nil : English.list(found)
    }
    // The same numbers as those of verdicts.
    let machine = words { MachineFrames($0).count }
    let often = words { run in
      let all = Cause.allCases.filter { $0.traits.blame != .app }
        .reduce(0) { $0 + run.count(.drops(by: $1)) }
      return all - MachineFrames(run).count
    }
    let limit = Figure.percent(100 * MachineFrames.rareLimit)
    return [
      machine.map {
        Warning(
          finding:
            "frames dropped because the loop woke late or other processes had the processors: "
            + $0,
          remedy: "the machine caused them; --repeat 5 shows which of them recur")
      },
      often.map {
        Warning(
          finding: "more than \(limit) % of frames dropped because the loop woke late: \($0)",
          remedy: "they count as the app's; --repeat 5 shows which of them recur")
      },
    ].compactMap(\.self)
  }
}

extension Learned {
  /// `; learned from trace.json, replay good`, to append to the description of a run.
  package static func origin(_ learned: Learned?) -> String {
    origin(learned?.source, learned?.replay)
  }

  package static func origin(_ source: String?, _ replay: Replay?) -> String {
    guard let source, let replay else { return "" }
    return "; learned from \(source), replay \(replay.rawValue)"
  }
}

extension Learned.Replay {
  /// A caveat for results of such a scenario, and its remedy; nil if they can be trusted.
  var warning: (finding: String, remedy: String)? {
    switch self {
    case .good: nil
    case .fair:
      (
        "its replay is only fair",
        "trust the order of the strategies but not their figures; see its README.md for the reasons"
      )
    case .poor:
      (
        "its replay differs from the recording",
        "its README.md has the differences, and what is missing"
      )
    case .tooShort:
      (
        "the recording is too short to judge its replay",
        "record for longer; its README.md has the required length"
      )
    }
  }
}
