internal import FrameBudget

/// The largest loads as JSON: the fields of the CSV.
public enum LimitJSON {
  public static func text(_ rows: [LimitRow]) -> String {
    let limits = rows.map { row in
      // The file has its schema once. A seed may exceed what a count holds, but is a number all the same.
      JSON.object(
        row.fields.dropFirst().map { field in
          field.name == "seed"
            ? (field.name, .number(field.value?.description ?? "null"))
            : (field.name, JSON(field.value))
        })
    }
    return JSON.object([
      ("schema", .number(String(MetricCatalog.schema))), ("limits", .array(limits)),
    ]).written() + "\n"
  }
}
