internal import ArgumentParser

/// How a result is shown, and what beside it.
struct OutputOptions: ParsableArguments {
  @Option(help: "What standard output gets.")
  var format = OutputFormat.table

  @Flag(help: "Only the result and errors: no progress bar, notes or warnings.")
  var quiet = false

  @Option(help: "Colours on standard output.")
  var color = ColorChoice.auto
}

/// What `--format` puts on the output.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, csv, json
}

/// When the output has colours.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}
