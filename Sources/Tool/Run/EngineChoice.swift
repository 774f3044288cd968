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
