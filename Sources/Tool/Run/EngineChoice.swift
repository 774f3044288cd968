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

  private static let mostCores = 256

  /// Refuses what is for the virtual engine where that does not run, and machines of no or too many cores.
  func check(cores: Int?, costs: String?) throws {
    for (flag, isGiven) in [("--cores is", cores != nil), ("--costs are", costs != nil)] {
      guard !isGiven || self != .real else {
        throw ValidationError("\(flag) for the virtual engine; add --engine virtual or both")
      }
    }
    if let cores, !(1...Self.mostCores).contains(cores) {
      throw ValidationError("--cores takes a whole number from 1 to \(Self.mostCores)")
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
