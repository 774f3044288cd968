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
    let pages = try StrategyPages(
      project.appending(path: "Sources/FrameBudget/FrameBudget.docc/Strategies"),
      measured: folder.appending(component: "measured"))
    all =
      [
        (reference.appending(component: "summary.csv"), results.summary),
        (reference.appending(component: "workloads.csv"), results.workloads),
        (
          readme,
          try MarkedText(String(contentsOf: readme, encoding: .utf8)).holding(ColumnTable.markdown)
        ),
      ] + pages.files
  }
}
