internal import Foundation
internal import Reports

/// What is generated in the project's folder: what those files should hold.
struct GeneratedFiles {
  let all: [(url: URL, text: String)]

  init(_ project: URL) throws {
    let folder = project.appending(component: "results")
    let results = try ReferenceResults()
    let readme = folder.appending(component: "README.md")
    let reference = folder.appending(component: "reference")
    let docs = project.appending(component: "Documentation")
    let measured = folder.appending(component: "measured")
    let pages = try StrategyPages(
      docs.appending(component: "Strategies"), measured: measured)
    let agreement = try AgreementTable(measured.appending(component: "every-scenario"))
    let measurements = docs.appending(component: "Measurements.md")
    let machine = docs.appending(component: "Machine.md")
    let advised = try AdvisedTable(folder.appending(component: "advised"))
    let advice = AdviceTable.page(in: project)
    let learning = RecordingTable.page(in: project)
    let page = try PageResults.published(in: folder)
    let contents = docs.appending(component: "README.md")
    let platforms = PlatformTable.page(in: project)
    all =
      [
        (reference.appending(component: "summary.csv"), results.summary),
        (reference.appending(component: "workloads.csv"), results.workloads),
        (
          readme,
          try MarkedText(String(contentsOf: readme, encoding: .utf8))
            .holding(ColumnTable.markdown + ColumnTable.changes + ColumnTable.others)
        ),
        (
          contents,
          try MarkedText(String(contentsOf: contents, encoding: .utf8))
            .holding(StrategyPages.list)
        ),
        (
          platforms,
          try MarkedText(String(contentsOf: platforms, encoding: .utf8))
            .holding(try PlatformTable().markdown)
        ),
        (
          measurements,
          try MarkedText(String(contentsOf: measurements, encoding: .utf8))
            .holding(agreement.markdown)
        ),
        (
          machine,
          try MarkedText(
            try MarkedText(
              String(contentsOf: machine, encoding: .utf8), by: OtherMachinesTable.marker
            ).holding(try OtherMachinesTable(measured).markdown)
          ).holding(try MachineTable(measured).markdown)
        ),
        (
          advice,
          try MarkedText(
            try MarkedText(String(contentsOf: advice, encoding: .utf8), by: AdvisedTable.marker)
              .holding(advised.markdown), by: PageTable.marker
          ).holding(page.advised)
        ),
        (
          learning,
          try MarkedText(String(contentsOf: learning, encoding: .utf8), by: PageTable.marker)
            .holding(page.variants)
        ),
      ] + pages.files
  }

  /// The page on advice, which takes thousands of runs.
  static func advice(_ project: URL) throws -> (url: URL, text: String) {
    let page = AdviceTable.page(in: project)
    let text = try MarkedText(String(contentsOf: page, encoding: .utf8))
    return (page, text.holding(try AdviceTable.markdown))
  }

  /// The page on continuous integration, whose table takes thousands of runs and of comparisons.
  static func gates(_ project: URL) throws -> (url: URL, text: String) {
    let page = GateTable.page(in: project)
    let text = try MarkedText(String(contentsOf: page, encoding: .utf8))
    return (page, text.holding(try GateTable.markdown))
  }

  /// The page on proofs, which takes some thousand runs.
  static func proofs(_ project: URL) throws -> (url: URL, text: String) {
    let page = ProofTable.page(in: project)
    let text = try MarkedText(String(contentsOf: page, encoding: .utf8))
    return (page, text.holding(try ProofTable.markdown))
  }

  /// The page on learning, with what recordings in `folder` come to.
  static func recordings(_ project: URL, in folder: URL) throws -> (url: URL, text: String) {
    let page = RecordingTable.page(in: project)
    let text = try MarkedText(String(contentsOf: page, encoding: .utf8), by: "make recordings")
    return (page, text.holding(try RecordingTable.markdown(folder)))
  }

  /// What the closed loop over the shipped scenarios comes to, some hundred runs.
  static func closedLoop(_ project: URL) throws -> [(url: URL, text: String)] {
    let table = try ClosedLoopTable(project)
    let page = RecordingTable.page(in: project)
    let text = try MarkedText(String(contentsOf: page, encoding: .utf8), by: "make learned")
    return [
      (ClosedLoopTable.file(in: project), table.csv), (page, text.holding(table.markdown)),
    ]
  }
}
