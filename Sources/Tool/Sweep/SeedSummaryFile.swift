internal import FrameBudget
internal import Glibc
internal import Parsing
internal import Reports

/// `seeds.csv` of a whole sweep, which follows from its `summary.csv`.
struct SeedSummaryFile {
  let folder: String
  let runsEach: Int
  let expectations: [Expectation]

  private static let name = "seeds.csv"

  /// Writes it, unless it is there already, and prints it in the format that is asked for.
  func write(_ command: RunCommand, on console: Console) throws(ToolError) {
    let prints = command.output.format == .csv
    let file = try GrowingSummary("\(folder)/\(Self.name)")
    try file.write(SeedSummary.header)
    if prints { try console.print(SeedSummary.header) }
    var shown: [SeedSummary.Group] = []
    var count = 0
    try forEachGroup { (group) throws(ToolError) in
      try file.write(group.csv)
      if prints { try console.print(group.csv) }
      if !prints, count < SweepWriter.mostShown { shown.append(group) }
      count += 1
    }
    try file.commit()
    guard !prints else { return }
    let isColored = console.isColored(command.output.color)
    try console.print(SeedTable.text(shown, of: count, isColored: isColored))
  }

  private func forEachGroup(
    _ body: (SeedSummary.Group) throws(ToolError) -> Void
  ) throws(ToolError) {
    var summary = SeedSummary(runsEach: runsEach, expectations: expectations)
    let failure = try ToolError.reading { () throws(InputError) in
      try summary.forEachGroup(of: ByteSource(path: "\(folder)/\(SweepFolder.summary)"), body)
    }
    if let failure { throw failure }
  }
}

/// A new file, or none where one is there already: it follows from rows that do not change.
private final class GrowingSummary {
  private var file: NewFile?

  init(_ path: String) throws(ToolError) {
    if unsafe access(path, F_OK) != 0 { file = try NewFile(path) }
  }

  func write(_ text: String) throws(ToolError) { try file?.write(text) }

  func commit() throws(ToolError) { try file.take()?.commit() }
}
