import TestSupport
import Testing

@testable import FrameBudgetCLI

/// `scripts/hostile` reads damaged files with every command; it would skip commands that it does not know.
@Suite struct `The script with damaged files` {
  private static let script = Result { try Project.text("scripts/hostile") }

  /// They read no file; `bisect` reads results that its command writes, as `compare` does.
  private static let others = ["bench", "bisect", "init", "list", "make-files"]

  @Test func `runs every command that reads a file`() throws {
    let script = try Self.script.get()
    for command in CommandHelp.all where !Self.others.contains(command.commandName) {
      let name = command.commandName
      let reads = try Regex("[\":]\(name) [^\"&]*\\{(file|in)")
      #expect(script.contains(reads), "\(name)")
    }
    for name in Self.others { #expect(CommandHelp.all.contains { $0.commandName == name }) }
  }

  @Test func `gives a file to every option that reads one`() throws {
    let script = try Self.script.get()
    let reading = CommandHelp.all.flatMap { command in
      command.options.filter { option in
        option.valueName == "file" && option.abstract?.hasPrefix("Write") == false
      }.compactMap(\.name)
    }
    #expect(Set(reading) == ["costs", "file", "gates", "map", "flow"])
    for option in Set(reading) { #expect(script.contains("--\(option) {file}"), "\(option)") }
  }
}
