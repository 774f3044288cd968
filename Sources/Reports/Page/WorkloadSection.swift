internal import FrameBudget

/// What became of each workload: a table of them all, and pictures of those that somebody waits for.
struct WorkloadSection {
  /// In the order in which they first appear.
  private let workloads: [(name: String, rows: [PageRow])]

  init(_ results: ResultSet, of runs: ResultSet) {
    var names: [String] = []
    var rows: [String: [ResultRow]] = [:]
    for row in results.rows {
      if rows[row.workload] == nil { names.append(row.workload) }
      rows[row.workload, default: []].append(row)
    }
    workloads = names.map { ($0, PageRow.rows(rows[$0] ?? [], among: runs.rows)) }
  }

  private static let columns = [
    Metric.itemsDone, .itemsPending, .itemsCancelled, .throughput, .itemLatency(.p50),
    .itemLatency(.p99), .itemLatency(.max), .response(.p50), .response(.p99), .response(.max),
    .responsesLate,
  ].map(\.name)

  /// A longer table would push the pictures off the first page.
  private static let mostOpen = 12

  /// Empty without workloads.
  func html() -> String {
    guard !workloads.isEmpty else { return "" }
    let all = workloads.flatMap(\.rows)
    let shown = Self.columns.filter { name in all.contains { $0.value(name) != nil } }
    let body = workloads.flatMap { workload in
      workload.rows.map { row in [row.name, workload.name] + shown.map(row.text) }
    }
    let table = HTML.table(["run", "workload"] + shown, body)
    let content =
      body.count > Self.mostOpen
      ? "<details><summary>\(body.count) rows</summary>\(table)</details>" : table
    return "<section><h2>Workloads</h2>\(content)</section>\n"
  }

  /// Responses, a picture for each workload that somebody waits for; of each the first `most` runs.
  func pictures(most: Int) -> [Plot] {
    workloads.compactMap { workload in
      ResultPictures(rows: Array(workload.rows.prefix(most))).responses(
        "Responses of \(workload.name)")
    }
  }
}
