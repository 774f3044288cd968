/// What tells a run from others: the first columns of every file of runs.
///
/// Files made from now on begin with these, in this order, less what says nothing of their lines. Two that are older
/// have an order of their own, behind `schema`: what `bench` measured begins with its carrier, a comparison with its
/// group, because no line of them is of one run.
package enum RunKey: String, CaseIterable, Sendable {
  case schema, scenario, strategy, options, changes, engine, cores, repetition, seed
  case refresh = "refresh_hz"
  case duration = "duration_ms"
  case warmup = "warmup_frames"

  package var name: String { rawValue }

  package var meaning: String {
    switch self {
    case .schema:
      "version of the columns and their meaning: added at the end, never renamed or moved"
    case .scenario: "its name"
    case .strategy: "its name: what runs where"
    case .options: "what was asked of the strategy beyond its defaults, as KEY=VALUE;..."
    case .changes: "what was changed in the scenario or assumed instead, as PATH=VALUE;..."
    case .engine: "real (this machine's threads and clock) or virtual (the simulation)"
    case .cores: "processors that the run could use"
    case .repetition: "from 1"
    case .seed: "of all random numbers"
    case .refresh: "refresh rate of the screen"
    case .duration: "D, the measured part; of an interrupted run what there was of it"
    case .warmup: "frames before time 0, left out of every metric"
    }
  }
}
