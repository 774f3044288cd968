internal import FrameBudget

/// The same runs from several results, or from both engines, side by side: before and after, predicted and measured.
struct ComparisonSection {
  private let groups: [(name: String, rows: [PageRow])]
  private let columns: [String]
  private let isOfEngines: Bool

  private static let metrics = [
    (Metric.droppedFrames.name, "frames dropped"), (Metric.hitchMax.name, "longest gap, ms"),
    (Metric.responsesLate.name, "answers late"), (Metric.backlog.name, "work left"),
    (Metric.frameTime(.p99).name, "slow frame, ms"),
    (Metric.response(.p99).name, "slow answer, ms"),
  ]

  /// Nil if nothing was run twice.
  init?(_ rows: [PageRow]) {
    let changes = rows.grouped(by: \.origin).map { Set($1.map(\.subject.changes)) }
    let isOfValues =
      changes.count == 2 && ChangedValues.isOne(between: changes[0], and: changes[1])
    let byOrigin = Self.grouped(rows) { row in
      [row.subject.label, isOfValues ? "" : row.subject.changes, row.subject.engine]
    }
    let byEngine = Self.grouped(rows) { [$0.origin, $0.subject.label, $0.subject.changes] }
    let isOfEngines = byOrigin.isEmpty
    groups = isOfEngines ? byEngine : byOrigin
    guard !groups.isEmpty else { return nil }
    columns = groups.flatMap(\.rows).map { isOfEngines ? $0.subject.engine : $0.origin }.distinct()
    self.isOfEngines = isOfEngines
  }

  private static func grouped(
    _ rows: [PageRow], by key: (PageRow) -> [String]
  ) -> [(name: String, rows: [PageRow])] {
    rows.grouped(by: key).compactMap { key, rows in
      let name = key.filter { !$0.isEmpty }.joined(separator: " · ")
      return rows.count > 1 ? (name, rows) : nil
    }
  }

  func markup(_ heading: Markup) -> Markup {
    let shown = Self.metrics.filter { metric in
      groups.contains { $0.rows.contains { $0.value(metric.0) != nil } }
    }
    let heads: [Markup] = shown.map {
      "<th scope=\"col\" role=\"columnheader\" class=\"n\" title=\"\($0.0)\">\($0.1)</th>"
    }
    let lines: [Markup] = groups.map { group in
      let cells: [Markup] = shown.map { metric in
        """
        <td role="cell" class="n"><span class="label" aria-hidden="true">\(metric.1) </span>\
        \(group.rows.map { $0.text(metric.0).isEmpty ? "–" : $0.text(metric.0) }.joined(separator: " → "))</td>
        """
      }
      return
        "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">\(group.name)</th>\(cells)</tr>\n"
    }
    let what = isOfEngines ? "of both engines" : "of these results"
    return """
      <section>\(heading)<p class="lead">The same runs \(what): \(columns.joined(separator: " → ")). \
      <code>framebudget compare</code> has each metric with its interval.</p>
      <table class="strips plain" role="table"><thead role="rowgroup"><tr role="row">\
      <th scope="col" role="columnheader">strategy</th>\(heads)</tr></thead>
      <tbody role="rowgroup">\(lines)</tbody></table></section>

      """
  }
}

/// The conditions of measurement: command, machine, its state, seeds and threads of each `run.json`.
struct CircumstanceSection {
  let files: [RunFile]

  /// Empty without a `run.json`.
  var markup: Markup {
    let tables: [Markup] = files.map { file in
      let rows: [Markup] = Self.facts(file).map { name, value in
        "<tr><th scope=\"row\">\(name)</th><td>\(value)</td></tr>\n"
      }
      return "<table class=\"facts\"><tbody>\(rows)</tbody></table>\n"
    }
    return "\(tables)"
  }

  static func facts(_ file: RunFile) -> [(name: String, value: String)] {
    let circumstances = file.circumstances
    let seeds = Seeds(file.runs.map { $0.seed })
    let facts =
      [
        ("command", ShellWord.line(circumstances.command)),
        ("started", circumstances.started), ("framebudget", circumstances.version),
        ("Swift", circumstances.swift), ("build", circumstances.isDebugBuild ? "debug" : "release"),
        (seeds.name, seeds.isEmpty ? "" : seeds.list),
      ] + circumstances.machine.map { ($0.name.replacing("_", with: " "), $0.value) }
      + state(circumstances.pressure) + niceValues(file)
    return facts.filter { !$0.1.isEmpty }
  }

  private static func state(_ pressure: Circumstances.Pressure?) -> [(String, String)] {
    guard let pressure else { return [] }
    func percent(_ value: Double) -> String { "\(Decimal.text(value, places: 2)) %" }
    return [
      ("load before", Decimal.text(pressure.loadBefore, places: 2)),
      ("load after", Decimal.text(pressure.loadAfter, places: 2)),
      ("stolen by the hypervisor", percent(pressure.stealPercent)),
      ("used by other processes", percent(pressure.othersPercent)),
    ]
  }

  /// The nice values of the threads, by strategy if they differ.
  private static func niceValues(_ file: RunFile) -> [(String, String)] {
    let byRun = file.runs.filter { !$0.threads.isEmpty }.map { run in
      (
        strategy: run.strategy,
        values: run.threads.map { "\($0.name) \($0.nice)" }.distinct().joined(separator: ", ")
      )
    }
    return byRun.map(\.values).distinct().map { values in
      let strategies = byRun.filter { $0.values == values }.map(\.strategy).distinct()
      return ("nice values of \(strategies.joined(separator: ", "))", values)
    }
  }
}

/// Every metric with its formula, and its value in every run.
struct MetricList {
  let rows: [PageRow]
  let metrics: [String]

  var markup: Markup {
    let entries: [Markup] = metrics.compactMap { name in
      let values = rows.map { (row: $0.name, text: $0.text(name)) }
      guard values.contains(where: { !$0.text.isEmpty }) else { return nil }
      return """
        <div><dt><b>\(name)</b> \(Self.unit(name)) <span>\(Self.formula(name))</span></dt>\(Self.cells(values))</div>

        """
    }
    return entries.isEmpty ? "" : "<dl class=\"metrics\">\(entries)</dl>\n"
  }

  private static func cells(_ values: [(row: String, text: String)]) -> Markup {
    if values.count > 1, let first = values.first, values.allSatisfy({ $0.text == first.text }) {
      return "<dd class=\"all\"><span>all</span> \(first.text)</dd>"
    }
    let cells: [Markup] = values.filter { !$0.text.isEmpty }.map {
      "<dd><span>\($0.row)</span> \($0.text)</dd>"
    }
    return "\(cells)"
  }

  private static func unit(_ name: String) -> String {
    guard let metric = MetricCatalog.metric(name), metric.unit != .count else { return "" }
    return metric.unit.rawValue
  }

  private static func formula(_ name: String) -> String {
    MetricCatalog.metric(name)?.formula ?? ""
  }
}
