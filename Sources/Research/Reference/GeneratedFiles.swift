internal import Foundation
internal import FrameBudget
internal import FrameBudgetReports
internal import FrameBudgetScenarios
internal import FrameBudgetSimulation

/// A generated file of the project, and its text.
typealias GeneratedFile = (url: URL, text: String)

/// The generated files of the project's folder.
struct GeneratedFiles {
  let all: [GeneratedFile]

  init(_ project: URL) throws {
    let folder = project.appending(component: "results")
    let docs = project.appending(component: "Documentation")
    let reference = folder.appending(component: "reference")
    let results = try ReferenceResults()
    all =
      [
        (reference.appending(component: "summary.csv"), results.summary),
        (reference.appending(component: "workloads.csv"), results.workloads),
        try Self.page(
          folder.appending(component: "README.md"),
          ColumnTable.markdown + ColumnTable.changes + ColumnTable.others),
        try Self.page(docs.appending(component: "README.md"), StrategyReference.list),
        try Self.page(StrategyReference.page(in: project), StrategyReference.markdown),
        try Self.page(PlatformTable.page(in: project), try PlatformTable().markdown),
      ] + (try Self.measurements(project))
  }

  /// The pages with measurements, and with predictions of what was measured.
  static func measurements(_ project: URL) throws -> [GeneratedFile] {
    let results = project.appending(component: "results")
    let measured = results.appending(component: "measured")
    let machine = try MachineTable(measured)
    let threads = try ThreadsTable(project, shipped: machine)
    let others = try OtherMachinesTable(measured)
    let coverage = CoverageTable(try threads.predictions + others.predictions)
    let advised = results.appending(component: "advised")
    let browser = results.appending(component: "browser")
    return [
      try page(
        measured.appending(component: "README.md"),
        try AgreementTable(measured.appending(component: "every-scenario")).markdown,
        [
          MeasurementsTable.marker: MeasurementsTable(
            try SpeedFigure.published(in: project.path(percentEncoded: false)),
            agreement: threads.agreement
          ).markdown,
          CoverageTable.marker: coverage.markdown,
        ]),
      try page(
        project.appending(path: CoverageTable.margins), nil,
        [CoverageTable.marginsMarker: coverage.margins]),
      try page(
        measured.appending(component: "machine.md"), machine.markdown,
        [
          OtherMachinesTable.marker: try others.markdown,
          ThreadsTable.marker: threads.totals + "\n" + threads.misses,
        ]),
      try page(advised.appending(component: "README.md"), try TestedAdvice(advised).markdown),
      try page(
        browser.appending(component: "README.md"), nil, try PageResults.published(in: browser)),
      try page(
        project.appending(path: StrategyTables.place),
        try StrategyTables(measured: measured).markdown),
    ]
  }

  /// The page on advice, which takes thousands of runs.
  static func advice(_ project: URL) throws -> GeneratedFile {
    try page(AdviceTable.page(in: project), try AdviceTable.markdown)
  }

  /// The page on the gates, whose table takes thousands of runs and of comparisons.
  static func gates(_ project: URL) throws -> GeneratedFile {
    try page(GateTable.page(in: project), try GateTable.markdown)
  }

  /// The page on proofs, which takes some thousand runs.
  static func proofs(_ project: URL) throws -> GeneratedFile {
    try page(ProofTable.page(in: project), try ProofTable.markdown)
  }

  /// The page on what recordings predict, with the recordings in `folder`.
  static func recordings(_ project: URL, in folder: URL) throws -> GeneratedFile {
    try page(
      RecordingTable.page(in: project), nil,
      ["make recordings": try RecordingTable.markdown(folder)])
  }

  /// The closed loop over the shipped scenarios, some hundred runs.
  static func closedLoop(_ project: URL) throws -> [GeneratedFile] {
    let table = try ClosedLoopTable(project)
    return [
      (ClosedLoopTable.file(in: project), table.csv),
      try page(RecordingTable.page(in: project), nil, ["make learned": table.markdown]),
    ]
  }

  /// `page` with `part` as the output of `make results`, and `others` as those of other commands.
  static func page(
    _ page: URL, _ part: String?, _ others: [String: String] = [:]
  ) throws -> GeneratedFile {
    var text = try String(contentsOf: page, encoding: .utf8)
    if let part { text = try MarkedText(text).holding(part) }
    for (command, part) in others { text = try MarkedText(text, by: command).holding(part) }
    return (page, text)
  }
}

/// Every shipped scenario under each of its strategies on machines of several sizes, in virtual time.
struct ReferenceResults {
  static let cores = [1, 2, 6]

  private let rows: [ReportRow]

  init() throws {
    rows = try ShippedScenarios.all.flatMap { shipped in
      Self.rows(of: try shipped.scenario)
    }
  }

  var summary: String { SummaryCSV.text(rows) }
  var workloads: String { WorkloadsCSV.text(rows) }

  private static func rows(of scenario: Scenario) -> [ReportRow] {
    scenario.strategies.flatMap { strategy in
      cores.map { cores in
        let engine = VirtualEngine(machine: scenario.machine.having(cores: cores))
        return ReportRow(engine.run(RunPlan(scenario, under: strategy)), cores: cores)
      }
    }
  }
}
