internal import FrameBudget

/// `workloads.csv`: a line for each workload of each run, with the metrics of its items.
public enum WorkloadsCSV {
  public static let header = CSV.line(
    ReportRow.keyNames + ["workload"] + MetricCatalog.items.map(\.name))

  public static func lines(_ row: ReportRow) -> String {
    let keys = row.keys.map(\.value.description)
    return row.metrics.workloads.map { workload in
      let metrics = MetricCatalog.items.map { $0.value(workload.items)?.description ?? "" }
      return CSV.line(keys + [workload.name] + metrics)
    }.joined()
  }

  public static func text(_ rows: [ReportRow]) -> String { header + rows.map(lines).joined() }
}
