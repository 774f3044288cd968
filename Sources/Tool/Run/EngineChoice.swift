internal import ArgumentParser
internal import FrameBudget

/// The engines that `--engine` asks for.
enum EngineChoice: String, CaseIterable, ExpressibleByArgument {
  case real, virtual, both

  var engines: [EngineKind] {
    switch self {
    case .real: [.real]
    case .virtual: [.virtual]
    case .both: [.real, .virtual]
    }
  }
}

/// What `--format` puts on the output.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case table, csv, json
}

/// When the output has colours.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}
