internal import Reports

/// The folder of `limit -o DIR`.
struct LimitFolder {
  private let path: String

  private static let names = ["limit.csv", "run.json"]

  /// Creates the folder if it is missing and makes sure that nothing in it is in the way.
  init(_ path: String, on console: Console) throws(ToolError) {
    try ResultFolder.prepare(path, for: Self.names, on: console)
    self.path = path
  }

  func write(_ rows: [LimitRow], _ circumstances: Circumstances) throws(ToolError) {
    try NewFile.write(LimitRow.table(rows).csv, to: "\(path)/limit.csv")
    try NewFile.write(LimitRow.runJSON(rows, circumstances), to: "\(path)/run.json")
  }
}
