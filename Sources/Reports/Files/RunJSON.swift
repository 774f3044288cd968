internal import FrameBudget

/// `run.json`: the command, the machine and its state, and every run with its metrics, workloads and threads.
public enum RunJSON {
  public static func text(_ rows: [ReportRow], _ circumstances: Circumstances) -> String {
    let warnings = MeasurementWarnings.warnings(rows, circumstances)
    return JSON.object(
      head(circumstances, warnings) + [("runs", .array(rows.map(run)))]
    ).written() + "\n"
  }

  /// What every file of measurements begins with: which command, where, when, and what speaks against it.
  static func head(
    _ circumstances: Circumstances, _ warnings: [MeasurementWarnings.Warning]
  ) -> [(name: String, value: JSON)] {
    var members: [(name: String, value: JSON)] = [
      ("schema", .number(String(ReportRow.schema))),
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
    members.append(("warnings", .array(warnings.map { .text($0.description) })))
    return members
  }

  private static func json(_ pressure: Circumstances.Pressure) -> JSON {
    .object([
      ("steal_pct", JSON(pressure.stealPercent)), ("others_pct", JSON(pressure.othersPercent)),
      ("load_before", JSON(pressure.loadBefore)), ("load_after", JSON(pressure.loadAfter)),
    ])
  }

  private static func run(_ row: ReportRow) -> JSON {
    // The file has its schema once. A seed may exceed what a count holds, but is a number all the same.
    let keys = row.keys.dropFirst().map { key in
      (key.name, key.name == "seed" ? .number(key.value.description) : JSON(key.value))
    }
    return .object(
      keys + [
        ("metrics", .object(MetricCatalog.all.map { ($0.name, JSON($0.value(row.metrics))) })),
        ("workloads", .array(row.metrics.workloads.map(workload))),
        ("threads", .array(row.log.totals.threads.map(thread))),
        ("violations", .array(row.log.violations.map(JSON.text))),
      ])
  }

  private static func workload(_ workload: (name: String, items: ItemMetrics)) -> JSON {
    .object(
      [("workload", .text(workload.name))]
        + MetricCatalog.items.map { ($0.name, JSON($0.value(workload.items))) })
  }

  private static func thread(_ thread: ThreadLog) -> JSON {
    .object([
      ("name", .text(thread.name)), ("nice", .number(String(thread.nice))),
      ("cpu_ms", JSON(thread.cpu.inMilliseconds)),
    ])
  }
}
