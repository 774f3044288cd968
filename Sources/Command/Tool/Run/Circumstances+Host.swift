internal import FrameBudget
internal import Glibc
internal import FrameBudgetRealTime
internal import FrameBudgetReports

extension Circumstances {
  /// The circumstances before the runs.
  static func now(isReal: Bool) -> Circumstances {
    var circumstances = Circumstances()
    circumstances.command = ["framebudget"] + CommandLine.arguments.dropFirst()
    circumstances.started = UTC.now
    circumstances.version = FrameBudgetTool.version
    circumstances.swift = swiftVersion
    circumstances.isDebugBuild = Self.isBuiltForDebugging
    if isReal { circumstances.machine = HostFacts.current.named }
    return circumstances
  }

  mutating func measured(from before: HostSample?, to after: HostSample?) {
    guard let before, let after else { return }
    let load = HostLoad(from: before, to: after)
    pressure = Pressure(
      stealPercent: load.stealPercent, othersPercent: load.othersPercent, loadBefore: before.load,
      loadAfter: after.load)
  }

  static var isBuiltForDebugging: Bool {
    // A release build removes assertions with their conditions.
    var isDebug = false
    assert(
      {
        isDebug = true; return true
      }())
    return isDebug
  }

  /// The compiler's language version: a program cannot find out more about its compiler.
  private static var swiftVersion: String {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}

extension HostFacts {
  /// The facts with their names in `run.json`.
  var named: [(name: String, value: String)] {
    let facts: [(String, String?)] = [
      ("cores", String(cores)), ("online_cores", String(onlineCores)), ("model", model),
      ("kernel", kernel), ("clock_source", clockSource), ("governor", governor),
      ("hypervisor", hypervisor), ("timer_slack", "\(timerSlack)"),
      ("realtime_priority", privileges.realtime ? "permitted" : "not permitted"),
      ("negative_nice", privileges.negativeNice ? "permitted" : "not permitted"),
    ]
    return facts.compactMap { name, value in value.map { (name, $0) } }
  }
}

/// The time of day, as written in files.
enum UTC {
  static var now: String {
    var seconds = time(nil)
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&seconds, &parts)
    let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
    let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
    return date.map(padded).joined(separator: "-") + "T"
      + clock.map(padded).joined(separator: ":") + "Z"
  }

  private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
