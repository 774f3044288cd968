/// A page of the manual (section 1), in the language of `man`.
struct ManualPage {
  /// `framebudget`, `framebudget-run`.
  let name: String
  let text: String

  /// The pages of a tool and of each of its commands that people type.
  static func all(_ tool: CommandHelp, version: String) -> [ManualPage] {
    let commands = tool.subcommands.filter { $0.isShown && $0.name != "help" }
    let names = commands.map { "\(tool.name)-\($0.name)" }
    let root = ManualPage(
      tool, path: [tool.name], version: version, commands: commands, others: names)
    return [root]
      + commands.map {
        ManualPage(
          $0, path: [tool.name, $0.name], version: version, commands: [], others: [tool.name])
      }
  }

  private init(
    _ command: CommandHelp, path: [String], version: String, commands: [CommandHelp],
    others: [String]
  ) {
    name = path.joined(separator: "-")
    let arguments = command.arguments.filter(\.isShown)
    let title = [name.uppercased(), "1", "", "framebudget \(version)", "framebudget manual"]
    var lines = [".TH " + title.map { "\"\(Self.escaped($0))\"" }.joined(separator: " ")]
    lines += [".SH NAME", Self.escaped("\(name) - \(command.abstract)")]
    lines += [".SH SYNOPSIS", ".B " + Self.escaped(path.joined(separator: " "))]
    lines += commands.isEmpty ? arguments.map(Self.usage) : [".I command", "[options]"]
    if !command.discussion.isEmpty {
      lines += [".SH DESCRIPTION"] + Self.paragraphs(command.discussion)
    }
    if !commands.isEmpty {
      lines += [".SH COMMANDS"]
      for command in commands {
        lines += [".TP", ".B " + Self.escaped(command.name), Self.line(command.abstract)]
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

  /// How an argument stands in the line that is typed.
  private static func usage(_ argument: ArgumentHelpText) -> String {
    let value = "\\fI\(escaped(argument.value))\\fP"
    let name = argument.names.last.map { "\\fB\(escaped($0))\\fP" }
    let parts = [name, argument.kind == "flag" ? nil : value].compactMap(\.self)
    let text = parts.joined(separator: " ") + (argument.isRepeating ? " ..." : "")
    return argument.isOptional ? "[\(text)]" : text
  }

  private static func entry(_ argument: ArgumentHelpText) -> [String] {
    let names = argument.names.map { "\\fB\(escaped($0))\\fP" }.joined(separator: ", ")
    let value = argument.kind == "flag" ? "" : "\\fI\(escaped(argument.value))\\fP"
    let head = [names, value].filter { !$0.isEmpty }.joined(separator: " ")
    var sentences = [argument.abstract, argument.discussion].filter { !$0.isEmpty }
    if !argument.values.isEmpty {
      sentences.append("One of: \(argument.values.joined(separator: ", ")).")
    }
    if let standard = argument.standard { sentences.append("Default: \(standard).") }
    return [".TP", head] + sentences.flatMap(paragraphs)
  }

  /// Text with paragraphs between empty lines; what is indented keeps its lines, and a line in capitals that ends in a
  /// colon is a heading.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    for text in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if text.isEmpty {
        lines.append(".PP")
      } else if text.hasSuffix(":"), text == text.uppercased() {
        lines.append(".SH " + escaped(text.dropLast()))
      } else if text.hasPrefix("  ") {
        lines += [".nf", ".RS", line(text.drop { $0 == " " }), ".RE", ".fi"]
      } else {
        lines.append(line(text))
      }
    }
    return lines
  }

  /// A line of text, which must not begin as a request does.
  private static func line(_ text: some StringProtocol) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// Text whose backslashes and hyphens are meant as they stand: options can be copied from the page.
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
