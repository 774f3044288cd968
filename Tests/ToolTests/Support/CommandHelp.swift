import ArgumentParser
import Foundation

@testable import Tool

/// What the help of a command says, as the argument parser knows it.
struct CommandHelp: Decodable, Sendable, CustomStringConvertible {
  let commandName: String
  let discussion: String?
  let shouldDisplay: Bool
  let subcommands: [CommandHelp]?
  let arguments: [Argument]?

  struct Argument: Decodable, Sendable {
    let kind: String
    let names: [Name]?
    let abstract: String?
    let valueName: String?

    struct Name: Decodable, Sendable {
      let kind: String
      let name: String
    }

    /// The long name.
    var name: String? { names?.first { $0.kind == "long" }?.name }
    /// All names, as they are typed.
    var spellings: [String] {
      (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }.sorted()
    }
  }

  var description: String { commandName }
  var options: [Argument] { (arguments ?? []).filter { $0.kind != "positional" } }

  /// The lines of the examples.
  var examples: [String] {
    let lines = (discussion ?? "").split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return Array(lines.drop { $0 != "EXAMPLES:" }.dropFirst())
  }

  /// The tool itself.
  static let tool: CommandHelp = {
    struct Dump: Decodable { let command: CommandHelp }
    guard
      let dump = try? JSONDecoder().decode(Dump.self, from: Data(FrameBudgetTool._dumpHelp().utf8))
    else { preconditionFailure("the parser describes the commands") }
    return dump.command
  }()

  /// The commands that are for people.
  static let all = (tool.subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
}
