internal import Foundation
internal import Reports

/// The folder of results, as far as it is generated: what its files should hold.
struct ResultsFolder {
  let files: [(url: URL, text: String)]

  init(_ folder: URL) throws {
    let results = try ReferenceResults()
    let readme = folder.appending(component: "README.md")
    let reference = folder.appending(component: "reference")
    files = [
      (reference.appending(component: "summary.csv"), results.summary),
      (reference.appending(component: "workloads.csv"), results.workloads),
      (
        readme,
        try MarkedText(String(contentsOf: readme, encoding: .utf8)).holding(ColumnTable.markdown)
      ),
    ]
  }
}
