internal import FrameBudget
internal import Reports
internal import Scenarios

/// What `advise -o` writes: a scenario that compares; by a name that ends with a slash, or is that of a folder, also what
/// `report` draws of the advice.
struct AdviceFiles {
  private let scenario: String
  /// Nil where only the scenario is wanted.
  private let folder: String?

  private static let names = ["advice.yaml", "advice.csv", "moves.csv"]

  /// Makes sure that nothing is in the way, before any long work.
  init(_ path: String, on console: Console) throws(ToolError) {
    guard path.hasSuffix("/") || ResultFolder.isFolder(path) else {
      try NewFile.requireAbsent(path)
      (scenario, folder) = (path, nil)
      return
    }
    try ResultFolder.prepare(path, for: Self.names, on: console)
    let parent = path.hasSuffix("/") ? path : path + "/"
    (scenario, folder) = (parent + "advice.yaml", parent)
  }

  func write(
    _ advice: NamedAdvice, _ subject: AdvisedSubject, quiet: Bool, on console: Console
  ) throws(ToolError) {
    let strategies = advice.strategies
    for strategy in strategies where !ScenarioFile.canSay(strategy, of: subject.scenario) {
      console.note(
        "\(strategy.label) is not in \(scenario): "
          + "a file cannot say that copies live in different places")
    }
    let sayable = strategies.filter { ScenarioFile.canSay($0, of: subject.scenario) }
    let text = try subject.source.text(
      subject.overrides, comparing: sayable, in: FilePath.folder(of: scenario))
    try NewFile.write(text, to: scenario)
    if let folder {
      try NewFile.write(advice.table.csv, to: folder + "advice.csv")
      try NewFile.write(MoveRow.table(advice).csv, to: folder + "moves.csv")
    }
    guard !quiet else { return }
    console.note("\(scenario) compares them; 'framebudget run \(scenario)' runs it")
    if let folder { console.note("'framebudget report \(folder)' draws what is advised") }
  }
}
