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
    let contents = docs.appending(component: "README.md")
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
          measurements,
          try MarkedText(String(contentsOf: measurements, encoding: .utf8))
            .holding(agreement.markdown)
        ),
      ] + pages.files
  }

  /// The page on advice, which takes thousands of runs.
  static func advice(_ project: URL) throws -> (url: URL, text: String) {
    let page = AdviceTable.page(in: project)
    let text = try MarkedText(String(contentsOf: page, encoding: .utf8))
    return (page, text.holding(try AdviceTable.markdown))
  }
}
