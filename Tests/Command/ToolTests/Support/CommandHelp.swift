import ArgumentParser
import Foundation

@testable import FrameBudgetCLI

extension CommandHelp: CustomStringConvertible {
  var description: String { commandName }
  var options: [Argument] { (arguments ?? []).filter { $0.kind != "positional" } }

  /// The lines of the examples, as they are shown.
  var exampleLines: [String] {
    let lines = (discussion ?? "").split(separator: "\n").map(String.init)
    return Array(lines.drop { $0 != "EXAMPLES:" }.dropFirst())
  }

  /// The examples; a backslash at the end of a line joins it with the next.
  var examples: [String] {
    exampleLines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
      .replacing("\\\n", with: "").split(separator: "\n").map(String.init)
  }

  /// The tool itself.
  static let tool: CommandHelp = {
    guard let tool = try? CommandHelp.ofTool() else {
      preconditionFailure("the parser describes the commands")
    }
    return tool
  }()

  /// The commands that are for people.
  static let all = tool.commands
}

extension CommandHelp.Argument {
  /// The long name.
  var name: String? { names?.first { $0.kind == "long" }?.name }
}
