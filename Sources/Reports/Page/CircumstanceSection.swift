internal import FrameBudget

/// How it was measured: command, machine, its state, seeds and threads of each `run.json`.
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
    let seeds = distinct(file.runs.map { $0.text(.seed) })
    let facts =
      [
        ("command", circumstances.command.map(shellWord).joined(separator: " ")),
        ("started", circumstances.started), ("framebudget", circumstances.version),
        ("Swift", circumstances.swift), ("build", circumstances.isDebugBuild ? "debug" : "release"),
        (seeds.count == 1 ? "seed" : "seeds", seeds.joined(separator: ", ")),
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

  /// The nice values of the threads: by strategy where they differ.
  private static func niceValues(_ file: RunFile) -> [(String, String)] {
    let byRun = file.runs.filter { !$0.threads.isEmpty }.map { run in
      (
        strategy: run.text(.strategy),
        values: distinct(run.threads.map { "\($0.name) \($0.nice)" }).joined(separator: ", ")
      )
    }
    return distinct(byRun.map(\.values)).map { values in
      let strategies = distinct(byRun.filter { $0.values == values }.map(\.strategy))
      return ("nice values of \(strategies.joined(separator: ", "))", values)
    }
  }

  private static func distinct(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  /// `word` as it would be typed.
  private static func shellWord(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,+%".contains($0) }
    return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
