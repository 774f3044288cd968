internal import FrameBudget

/// The largest loads as JSON: the fields of the CSV.
public enum LimitJSON {
  public static func text(_ rows: [LimitRow]) -> String {
    JSON.object([
      (RunKey.schema.name, .number(String(MetricCatalog.schema))),
      ("limits", .array(rows.map(LimitCSV.format.json))),
    ]).written() + "\n"
  }
}
