internal import ArgumentParser
internal import Foundation

/// Writes the pages of the manual and the completions of shells, for `make install`.
struct MakeManualCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-manual",
    abstract: "Write the manual pages and shell completions, for installation.",
    shouldDisplay: false)

  @Argument(help: "The folder, which must not exist.", completion: .directory)
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
      return ManualPage.all(try CommandHelp.ofTool(), version: FrameBudgetTool.version)
    } catch {
      throw ToolError(.unavailable, "the commands' help cannot be read: \(error)")
    }
  }
}

/// A page of the manual (section 1), in the language of `man`.
struct ManualPage {
  /// `framebudget`, `framebudget-run`.
  let name: String
  let text: String

  /// The pages of a tool and of each of its commands for users.
  static func all(_ tool: CommandHelp, version: String) -> [ManualPage] {
    let commands = tool.commands
    let names = commands.map { "\(tool.commandName)-\($0.commandName)" }
    let root = ManualPage(
      tool, path: [tool.commandName], version: version, commands: commands, others: names)
    return [root]
      + commands.map {
        ManualPage(
          $0, path: [tool.commandName, $0.commandName], version: version, commands: [],
          others: [tool.commandName])
      }
  }

  private init(
    _ command: CommandHelp, path: [String], version: String, commands: [CommandHelp],
    others: [String]
  ) {
    name = path.joined(separator: "-")
    let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
    let title = [name.uppercased(), "1", "", "framebudget \(version)", "framebudget manual"]
    var lines = [".TH " + title.map { "\"\(Self.escaped($0))\"" }.joined(separator: " ")]
    lines += [".SH NAME", Self.escaped("\(name) - \(command.abstract ?? "")")]
    lines += [".SH SYNOPSIS", ".B " + Self.escaped(path.joined(separator: " "))]
    lines += commands.isEmpty ? arguments.map(Self.usage) : [".I command", "[options]"]
    if let discussion = command.discussion, !discussion.isEmpty {
      lines += [".SH DESCRIPTION"] + Self.paragraphs(discussion)
    }
    if !commands.isEmpty {
      lines += [".SH COMMANDS"]
      for command in commands {
        lines += [
          ".TP", ".B " + Self.escaped(command.commandName), Self.line(command.abstract ?? ""),
        ]
      }
    }
    if !arguments.isEmpty { lines += [".SH OPTIONS"] + arguments.flatMap(Self.entry) }
    lines += [".SH EXIT STATUS"] + Self.statuses
    lines += [
      ".SH SEE ALSO", others.map { "\\fB\(Self.escaped($0))\\fP(1)" }.joined(separator: ", "),
    ]
    text = lines.map { $0 + "\n" }.joined()
  }

  private static let statuses = ExitStatus.allCases.flatMap {
    [".TP", ".B \($0.rawValue)", line($0.meaning)]
  }

  /// An argument in the synopsis.
  private static func usage(_ argument: CommandHelp.Argument) -> String {
    let value = "\\fI\(escaped(argument.valueName ?? ""))\\fP"
    let name = argument.spellings.last.map { "\\fB\(escaped($0))\\fP" }
    let parts = [name, argument.kind == "flag" ? nil : value].compactMap(\.self)
    let text = parts.joined(separator: " ") + (argument.isRepeating ? " ..." : "")
    return argument.isOptional ? "[\(text)]" : text
  }

  /// What the flags do that turn another one off: the parser has the same help for both.
  private static let inverted = [
    "mouse": "Leave the mouse to the terminal, to select text.",
    "headless": "Show the browser's window, which is the default with a display.",
    "range":
      "Print no ranges, which saves the runs for them (virtual engine); the default with --vary.",
  ]

  private static func entry(_ argument: CommandHelp.Argument) -> [String] {
    let names = argument.spellings.map { "\\fB\(escaped($0))\\fP" }.joined(separator: ", ")
    let value = argument.kind == "flag" ? "" : "\\fI\(escaped(argument.valueName ?? ""))\\fP"
    let head = [names, value].filter { !$0.isEmpty }.joined(separator: " ")
    var sentences = [argument.abstract, argument.discussion].compactMap(\.self).filter {
      !$0.isEmpty
    }
    if let flag = argument.inverted {
      sentences = [inverted[flag] ?? "The opposite of --\(flag)."]
    }
    if let values = argument.allValues, !values.isEmpty {
      sentences.append("One of: \(values.joined(separator: ", ")).")
    }
    if let standard = argument.defaultValue { sentences.append("Default: \(standard).") }
    return [".TP", head] + sentences.flatMap(paragraphs)
  }

  /// Text with paragraphs between empty lines. Indented text keeps its lines; a line in capitals that ends in a colon is a
  /// heading.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    for text in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if text.isEmpty {
        lines.append(".PP")
      } else if text.hasSuffix(":"), text == text.uppercased() {
        lines.append(".SH " + escaped(text.dropLast()))
      } else if text.hasPrefix("  ") {
        lines += [".nf", ".RS", line(text.dropFirst(2)), ".RE", ".fi"]
      } else {
        lines.append(line(text))
      }
    }
    return lines
  }

  /// Escapes a line that would start like a macro.
  private static func line(_ text: some StringProtocol) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// Escapes backslashes and hyphens, so that options can be copied from the page.
  private static func escaped(_ text: some StringProtocol) -> String {
    text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "\"": "\\(dq"
      default: String(character)
      }
    }.joined()
  }
}

/// The help of a command, as the argument parser dumps it.
struct CommandHelp: Decodable, Sendable {
  let commandName: String
  let abstract: String?
  let discussion: String?
  let shouldDisplay: Bool
  let arguments: [Argument]?
  let subcommands: [CommandHelp]?

  /// The tool, with all its commands.
  static func ofTool() throws -> CommandHelp {
    struct Dump: Decodable { let command: CommandHelp }
    return try JSONDecoder().decode(Dump.self, from: Data(FrameBudgetTool._dumpHelp().utf8)).command
  }

  /// The commands for users.
  var commands: [CommandHelp] {
    (subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
  }

  /// An argument, an option or a flag.
  struct Argument: Decodable, Sendable {
    let kind: String
    let names: [Name]?
    let abstract: String?
    let discussion: String?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool

    struct Name: Decodable, Sendable {
      let kind: String
      let name: String

      /// The form on the command line.
      var spelling: String { (kind == "long" ? "--" : "-") + name }
    }

    /// The flag that it turns off: `headless` for `--no-headless`; nil for others.
    var inverted: String? {
      guard let name = names?.last?.name, kind == "flag", name.hasPrefix("no-") else { return nil }
      return String(name.dropFirst(3))
    }

    /// All forms on the command line: `-o`, `--output`; empty for a positional argument.
    var spellings: [String] { (names ?? []).map(\.spelling) }
  }
}
