import ArgumentParser
import Foundation
import Testing

@testable import FrameBudgetCLI

/// The commands are consistent: the same options have the same names, meanings and formats.
@Suite struct `The options of the commands` {
  /// Commands that print a result.
  private static let results = [
    "run", "measure", "limit", "prove", "advise", "explain", "compare", "history", "import",
    "bench", "check",
    "list",
    "doctor",
  ]
  /// Commands that print none, and the reason.
  private static let others = [
    "init": "writes a file", "make-files": "writes files", "live": "shows a screen",
    "report": "makes a page", "merge": "writes files",
    "bisect": "runs a command", "learn": "writes a folder",
    "record": "writes a folder",
  ]
  /// Options with different texts, and the reason.
  private static let ownWords = [
    "output": "each command writes something of its own",
    "vary": "limit searches where run goes through all values",
    "engine": "live has one at a time",
    "from": "init begins with a scenario, learn at an instant",
  ]

  @Test func `have been reviewed for every command`() {
    #expect(
      Set(CommandHelp.all.map(\.commandName)) == Set(Self.results + Array(Self.others.keys)))
  }

  @Test(arguments: results)
  func `say alike how every result is printed`(_ name: String) throws {
    let command = try #require(CommandHelp.all.first { $0.commandName == name })
    let options = Dictionary(grouping: command.options) { $0.name ?? "" }
    for (option, spellings) in [
      ("format", ["--format"]), ("quiet", ["--quiet", "-q"]), ("color", ["--color"]),
      ("output", ["--output", "-o"]),
    ] where option != "output" || name != "run" {
      #expect(options[option]?.map { $0.spellings.sorted() } == [spellings.sorted()], "--\(option)")
    }
  }

  @Test func `with one name have the same abbreviation and the same words everywhere`() {
    let all = CommandHelp.all.flatMap(\.options)
    for (name, same) in Dictionary(grouping: all, by: { $0.name ?? "" }) {
      #expect(Set(same.map(\.spellings)).count == 1, "--\(name)")
      guard Self.ownWords[name] == nil else { continue }
      #expect(Set(same.map(\.abstract)).count == 1, "--\(name): \(same.map(\.abstract))")
      #expect(same.allSatisfy { $0.abstract?.isEmpty == false }, "--\(name)")
    }
    #expect(Set(all.compactMap(\.name)).isSuperset(of: Self.ownWords.keys))
  }

  /// By the names of their values, so that a new argument has proposals, too.
  @Test func `of files, folders, scenarios and metrics are completed by shells`() throws {
    let kinds = [
      "file": "file", "dir": "directory", "shard": "directory", "recording": "file", "log": "file",
      "result": "file", "base": "file", "scenario": "custom", "metric": "custom",
      "name[": "custom",
    ]
    let commands = try JSONDecoder().decode(
      Proposals.self, from: Data(FrameBudgetTool._dumpHelp().utf8))
    var found: Set<String> = []
    for command in commands.command.subcommands ?? [] {
      for argument in command.arguments ?? [] where argument.shouldDisplay {
        let value = argument.valueName ?? ""
        guard let kind = kinds.first(where: { value.hasPrefix($0.key) }),
          argument.completionKind?["list"] == nil
        else { continue }
        found.insert(kind.key)
        #expect(
          argument.completionKind?.keys.first == kind.value, "\(command.commandName) \(value)")
      }
    }
    #expect(found == Set(kinds.keys))
  }

  /// What the parser says of the proposals for each argument.
  private struct Proposals: Decodable {
    let command: Command
    struct Command: Decodable {
      let commandName: String
      let arguments: [Argument]?
      let subcommands: [Command]?
    }
    struct Argument: Decodable {
      let valueName: String?
      let shouldDisplay: Bool
      let completionKind: [String: Details]?
    }
    struct Details: Decodable {}
  }

  @Test(arguments: ["run", "limit", "live"])
  func `of a scenario are those of run, limit and live`(_ name: String) throws {
    let command = try #require(CommandHelp.all.first { $0.commandName == name })
    let names = command.options.compactMap(\.name)
    #expect(
      Set(names).isSuperset(of: [
        "strategy", "set", "duration", "seed", "cores", "costs", "engine", "realtime", "pin",
      ]))
  }

  @Test(arguments: CommandHelp.all + [.tool])
  func `are shown in examples that can be typed`(_ command: CommandHelp) throws {
    let name = command.commandName == "framebudget" ? "" : " \(command.commandName)"
    #expect(command.examples.contains { $0.contains("framebudget\(name)") })
    for line in command.examples {
      let calls = ShellLine(line).commands.compactMap { words in
        words.firstIndex(of: "framebudget").map { Array(words[($0 + 1)...]) }
      }
      #expect(!calls.isEmpty, "\(line)")
      for arguments in calls {
        #expect(throws: Never.self, "\(line)") { try FrameBudgetTool.parseAsRoot(arguments) }
      }
    }
  }

  @Test(arguments: CommandHelp.all)
  func `have examples that a terminal of 80 columns does not wrap`(_ command: CommandHelp) throws {
    let type = try #require(
      FrameBudgetTool.configuration.subcommands.first {
        $0.configuration.commandName == command.commandName
      })
    let shown = FrameBudgetTool.helpMessage(for: type, columns: 80).split(separator: "\n")
    for line in command.exampleLines { #expect(shown.contains(line[...])) }
  }
}

/// A shell line, restricted to the syntax of the examples: words, quotes, pipes, `&&`, redirections and comments.
private struct ShellLine {
  /// The words of each command; redirections are left out.
  private(set) var commands: [[String]] = [[]]

  init(_ line: String) {
    var word: String?
    var quote: Character?
    var words: [String] = []
    for letter in line {
      if let open = quote {
        if letter == open { quote = nil } else { word = (word ?? "") + String(letter) }
      } else if letter == "\"" || letter == "'" {
        quote = letter
        word = word ?? ""
      } else if letter == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(letter)
      }
    }
    words += [word].compactMap(\.self)
    var isRedirection = false
    for word in words.prefix(while: { $0 != "#" }) {
      switch word {
      case "&&", "|": commands.append([])
      case ">", "<": isRedirection = true
      default:
        if !isRedirection { commands[commands.count - 1].append(word) }
        isRedirection = false
      }
    }
  }
}
