internal import ArgumentParser
internal import FrameBudget
internal import Scenarios
internal import ShippedScenarios

/// Writes a scenario file to start from.
struct InitCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a scenario file to start from.",
    discussion: """
      The file is commented: three services, a burst of items, a tap that must be answered in time, the screen. With --from \
      it is one of the scenarios that come with the tool. It is never written over another file.

      EXAMPLES:
        framebudget init
        framebudget init gallery && framebudget run gallery.yaml --engine virtual
        framebudget init mine --from tap-behind-files
      """)

  @Argument(help: "What the scenario is called; it stands in NAME.yaml. A path is taken as well.")
  var name = "my-app"

  @Option(help: ArgumentHelp("A scenario that comes with the tool.", valueName: "scenario"))
  var from: String?

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let path = name.hasSuffix(".yaml") ? name : "\(name).yaml"
    let title = String((path.split(separator: "/").last ?? "").dropLast(".yaml".count))
    try NewFile.write(try text(title), to: path)
    try console.print(
      """
      \(path) is yours to change. Next:
        framebudget check \(path)
        framebudget run \(path) --engine virtual

      """)
    return .success
  }

  private func text(_ title: String) throws(ToolError) -> String {
    let (text, original) = try self.original()
    let renaming = Override(path: "scenario", value: title, flag: "init \(name)")
    do throws(ScenarioError) {
      _ = try ScenarioFile.parse(Array(text.utf8), file: original, overrides: [renaming])
    } catch {
      throw ToolError(error)
    }
    return from == nil
      ? StarterScenario.text(name: title)
      : text.replacing("scenario: \(original)\n", with: "scenario: \(title)\n", maxReplacements: 1)
  }

  /// The text to start from, and what that scenario is called.
  private func original() throws(ToolError) -> (text: String, name: String) {
    guard let from else { return (StarterScenario.text(name: "my-app"), "my-app") }
    guard let shipped = ShippedScenarios.scenario(from) else {
      let remedy = Spelling.suggestion(for: from, among: ShippedScenarios.all.map(\.name))
      throw ToolError(.usage, "--from: '\(from)' does not come with the tool\(remedy)")
    }
    return (String(decoding: shipped.bytes, as: UTF8.self), shipped.name)
  }
}
