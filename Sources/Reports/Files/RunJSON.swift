internal import FrameBudget

/// `run.json`: the command, the machine and its state, and every run with its metrics, workloads and threads.
public enum RunJSON {
  public static func text(_ rows: [ReportRow], _ circumstances: Circumstances) -> String {
    text(RunFile(rows, circumstances))
  }

  /// What `run --format json` prints: `run.json` with the verdict behind its schema. The file holds what was measured,
  /// from which the verdict follows.
  public static func printed(_ rows: [ReportRow], _ circumstances: Circumstances) -> String {
    let verdict = VerdictSummary(verdicts: Verdict.all(rows)).json
    var members = members(RunFile(rows, circumstances))
    members.insert((RecordTable.verdict, verdict), at: 1)
    return JSON.object(members).written() + "\n"
  }

  static func text(_ file: RunFile) -> String { JSON.object(members(file)).written() + "\n" }

  private static func members(_ file: RunFile) -> [(name: String, value: JSON)] {
    head(file.schema, file.circumstances, file.warnings)
      + [("runs", .array(file.runs.map(run)))]
  }

  /// What every file of measurements begins with: which command, where, when, and what speaks against it.
  static func head(
    _ schema: Int, _ circumstances: Circumstances, _ warnings: [String]
  ) -> [(name: String, value: JSON)] {
    var members: [(name: String, value: JSON)] = [
      (RunKey.schema.name, .number(String(schema))),
      ("command", .array(circumstances.command.map(JSON.text))),
      ("started", .text(circumstances.started)),
      (
        "toolchain",
        .object([
          ("framebudget", .text(circumstances.version)), ("swift", .text(circumstances.swift)),
          ("build", .text(circumstances.isDebugBuild ? "debug" : "release")),
        ])
      ),
    ]
    if !circumstances.machine.isEmpty {
      members.append(("machine", .object(circumstances.machine.map { ($0, .text($1)) })))
    }
    if let pressure = circumstances.pressure { members.append(("pressure", json(pressure))) }
    if let costs = circumstances.costs { members.append(("costs", AssumedCosts.json(costs))) }
    members.append(("warnings", .array(warnings.map(JSON.text))))
    return members
  }

  private static func json(_ pressure: Circumstances.Pressure) -> JSON {
    .object(Circumstances.Pressure.keys.map { ($0.name, JSON(pressure[keyPath: $0.path])) })
  }

  private static func run(_ run: RunFile.Run) -> JSON {
    .object(
      run.keys.map(JSON.member) + [
        ("metrics", .object(run.metrics.map(JSON.member))),
        ("workloads", .array(run.workloads.map { .object($0.map(JSON.member)) })),
        ("threads", .array(run.threads.map(thread))),
        ("violations", .array(run.violations.map(JSON.text))),
      ] + deadlocks(run) + responses(run))
  }

  private static func responses(_ run: RunFile.Run) -> [(name: String, value: JSON)] {
    run.answers.isEmpty ? [] : [("responses", .array(run.answers.map(\.json)))]
  }

  private static func deadlocks(_ run: RunFile.Run) -> [(name: String, value: JSON)] {
    run.deadlocks.isEmpty ? [] : [("deadlocks", .array(run.deadlocks.map(JSON.text)))]
  }

  private static func thread(_ thread: ThreadLog) -> JSON {
    .object([
      (ThreadKey.name.rawValue, .text(thread.name)),
      (ThreadKey.nice.rawValue, .number(String(thread.nice))),
      (ThreadKey.cpu.rawValue, JSON(thread.cpu.inMilliseconds)),
    ])
  }
}
