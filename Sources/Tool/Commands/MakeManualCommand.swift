internal import ArgumentParser
internal import Parsing

/// Writes the pages of the manual and the completions of shells, for `make install`.
struct MakeManualCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-manual",
    abstract: "Write the manual's pages and the shells' completions; for installing.",
    shouldDisplay: false)

  @Argument(help: "The folder, which must not be there yet.")
  var folder: String

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    let folder = try NewFolder(folder, on: console)
    for page in try Self.pages() { try folder.write(Array(page.text.utf8), to: "\(page.name).1") }
    let shells: [(name: String, CompletionShell)] = [
      ("framebudget.bash", .bash), ("_framebudget", .zsh), ("framebudget.fish", .fish),
    ]
    for (name, shell) in shells {
      try folder.write(Array(FrameBudgetTool.completionScript(for: shell).utf8), to: name)
    }
    try folder.commit()
    return .success
  }

  static func pages() throws(ToolError) -> [ManualPage] {
    do {
      let help = try CommandHelp(dump: FrameBudgetTool._dumpHelp())
      return ManualPage.all(help, version: FrameBudgetTool.version)
    } catch {
      throw ToolError(.unavailable, "the commands' help cannot be read: \(error.reason)")
    }
  }
}
