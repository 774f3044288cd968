internal import FrameBudget

/// Dropped frames that are put down to the machine and not to the app, by `Cause.Blame`; none in virtual time.
struct MachineFrames {
  /// The share of all frames up to which `machineIfRare` means the machine.
  static let rareLimit = 0.005

  /// The causes that are not the app's.
  let excused: [Cause]
  let count: Int

  init(of expected: Int, isReal: Bool, drops: (Cause) -> Int) {
    excused = Cause.allCases.filter { cause in
      guard isReal else { return false }
      return switch cause.traits.blame {
      case .app: false
      case .machine: true
      case .machineIfRare: Double(drops(cause)) <= Self.rareLimit * Double(expected)
      }
    }
    count = excused.reduce(0) { $0 + drops($1) }
  }

  init(_ metrics: RunMetrics) {
    let frames = metrics.frames
    self.init(
      of: frames.expected, isReal: metrics.log.engine == .real, drops: frames.drops(by:))
  }

  init(_ row: ResultRow) {
    func count(_ metric: Metric) -> Int { row[metric].map { Int($0) } ?? 0 }
    self.init(of: count(.expectedFrames), isReal: row.engine == EngineKind.real.rawValue) {
      count(.drops(by: $0))
    }
  }
}
