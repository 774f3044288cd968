internal import Parsing

/// What a command says of itself, as the argument parser dumps it.
struct CommandHelp {
  var name = ""
  var abstract = ""
  var discussion = ""
  var isShown = true
  var arguments: [ArgumentHelpText] = []
  var subcommands: [CommandHelp] = []

  /// Of the tool, with all its commands.
  init(dump: String) throws(InputError) {
    var reader = JSONReader(Array(dump.utf8))
    var root: CommandHelp?
    try reader.object { reader, key throws(InputError) in
      if key == "command" { root = try CommandHelp(&reader) } else { try reader.skip() }
    }
    guard let root else { throw InputError("the help has no command") }
    self = root
  }

  private init(_ reader: inout JSONReader) throws(InputError) {
    try reader.object { reader, key throws(InputError) in
      switch key {
      case "commandName": name = try reader.string()
      case "abstract": abstract = try reader.string()
      case "discussion": discussion = try reader.string()
      case "shouldDisplay": isShown = try reader.boolean()
      case "arguments":
        try reader.array { reader throws(InputError) in
          arguments.append(try ArgumentHelpText(&reader))
        }
      case "subcommands":
        try reader.array { reader throws(InputError) in
          subcommands.append(try CommandHelp(&reader))
        }
      default: try reader.skip()
      }
    }
  }
}

/// What an argument, an option or a flag says of itself.
struct ArgumentHelpText {
  /// As they are typed: `-o`, `--output`; none for what has only its place.
  var names: [String] = []
  var kind = ""
  var abstract = ""
  var discussion = ""
  var value = ""
  var standard: String?
  var values: [String] = []
  var isOptional = false
  var isRepeating = false
  var isShown = true

  init(_ reader: inout JSONReader) throws(InputError) {
    try reader.object { reader, key throws(InputError) in
      switch key {
      case "names":
        try reader.array { reader throws(InputError) in names.append(try Self.name(&reader)) }
      case "kind": kind = try reader.string()
      case "abstract": abstract = try reader.string()
      case "discussion": discussion = try reader.string()
      case "valueName": value = try reader.string()
      case "defaultValue": standard = try reader.string()
      case "allValues":
        try reader.array { reader throws(InputError) in values.append(try reader.string()) }
      case "isOptional": isOptional = try reader.boolean()
      case "isRepeating": isRepeating = try reader.boolean()
      case "shouldDisplay": isShown = try reader.boolean()
      default: try reader.skip()
      }
    }
  }

  private static func name(_ reader: inout JSONReader) throws(InputError) -> String {
    var (kind, name) = ("", "")
    try reader.object { reader, key throws(InputError) in
      switch key {
      case "kind": kind = try reader.string()
      case "name": name = try reader.string()
      default: try reader.skip()
      }
    }
    return (kind == "long" ? "--" : "-") + name
  }
}
