internal import ArgumentParser

/// How a result is shown, and what beside it: alike for every command that prints one.
struct OutputOptions<Format: ResultFormat>: ParsableArguments {
  @Option(help: "What the result is printed as.")
  var format = Format.table

  @OptionGroup var notes: NoteOptions

  @Option(help: "Colours in the result; auto: on a terminal.")
  var color = ColorChoice.auto

  var quiet: Bool { notes.quiet }
}

/// What is said beside a result.
struct NoteOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong, help: "Only the result and errors: no progress bar, notes or warnings.")
  var quiet = false
}

/// Where a result goes whose command writes nothing else.
struct FileOptions: ParsableArguments {
  @Option(
    name: .output,
    help: ArgumentHelp("Write the result there instead of standard output.", valueName: "file"))
  var file: String?

  /// Opens the place of the result, before any long work.
  func open(on console: Console, quiet: Bool) throws(ToolError) -> ResultPlace {
    try ResultPlace(file, quiet: quiet, on: console)
  }
}

extension NameSpecification {
  /// Of the option that says where something is written.
  static var output: Self { [.customShort("o"), .customLong("output")] }
}

/// Ways to print a command's result.
protocol ResultFormat: CaseIterable, ExpressibleByArgument, Sendable {
  /// The one for people.
  static var table: Self { get }
}

/// What `--format` puts on the output.
enum OutputFormat: String, ResultFormat {
  case table, csv, json
}

/// When the output has colours.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}
