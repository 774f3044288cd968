public import FrameBudget

/// `bench --format json`: the machine and its state, and every measurement under the names of the CSV's columns.
public enum BenchJSON {
  public static func text(
    _ measured: [HandOffMeasurement], copies: [CopyMeasurement] = [],
    machine: MachineMeasurement? = nil, _ circumstances: Circumstances
  ) -> String {
    let rows = measured.map(LineFormat(BenchCSV.columns).json)
    let copies = copies.map { row in
      JSON.object(
        [(RunKey.repetition.name, JSON.number(String(row.repetition)))]
          + BenchCSV.copyColumns.map { ($0.name, JSON($0.value(row))) })
    }
    let head = RunJSON.head(
      BenchCSV.schema, circumstances,
      MeasurementWarnings.machine(circumstances).map(\.description))
    let found = machine.map { [(name: "found", value: JSON.object(CostsJSON.found($0)))] } ?? []
    return JSON.object(
      head + [("measurements", .array(rows)), ("copying", .array(copies))] + found
    )
    .written()
      + "\n"
  }
}
