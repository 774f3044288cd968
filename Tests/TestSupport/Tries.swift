internal import Foundation

/// The number of repetitions of randomised tests. This is the only place with the counts of the tiers.
///
/// The variable `FRAMEBUDGET_TIER` chooses the tier: unset for `make test`, where each takes seconds, `soak` for `make soak`.
/// `FRAMEBUDGET_TRIES=N` chooses a count for all, for a single test by hand.
package struct Tries: Sendable {
  package let count: Int

  private init(_ test: Int, soak: Int) {
    let environment = ProcessInfo.processInfo.environment
    let tier = environment["FRAMEBUDGET_TIER"] ?? ""
    guard let ofTier = ["": test, "soak": soak][tier] else {
      fatalError("FRAMEBUDGET_TIER is '\(tier)', not soak")
    }
    count = environment["FRAMEBUDGET_TRIES"].flatMap { Int($0) } ?? ofTier
  }

  /// Random apps, arrangements and machines in virtual time.
  package static let randomRuns = Tries(500, soak: 100_000)
  package static let randomScenarios = Tries(400, soak: 100_000)
  /// Random screens, in the engine and in the independent simulator of the tests.
  package static let screenComparisons = Tries(800, soak: 100_000)
  package static let screenOracles = Tries(800, soak: 100_000)
  /// Random loads with regular arrivals, each with the largest that is sustained in runs of eleven lengths.
  package static let loadLimits = Tries(2, soak: 200)
  /// Random apps, each with the range of its predictions and with costs in small steps.
  package static let predictionRanges = Tries(200, soak: 50_000)
  /// Random small apps, with every phase and extreme cost: up to 2500 runs each.
  package static let provenSystems = Tries(64, soak: 20_000)
  package static let provenGrowths = Tries(24, soak: 4000)
  /// Random threads on cores, beside a simulator of small time steps.
  package static let coreQueues = Tries(200, soak: 20_000)
  package static let bruteForces = Tries(150, soak: 20_000)
  /// Random threads, looked at in every nanosecond.
  package static let fairness = Tries(100, soak: 20_000)
  /// Random events from several threads, while their scheduler shuts down.
  package static let queueShutdowns = Tries(10, soak: 2000)
  /// Random runs whose frames are written, imported and measured again.
  package static let importedRuns = Tries(600, soak: 100_000)
  /// Comparisons of random results, of which a share may be wrong.
  package static let comparisons = Tries(100, soak: 5000)
  package static let boundComparisons = Tries(60, soak: 5000)
  /// Random apps, of which half have advice that is checked in new runs.
  package static let headlines = Tries(40, soak: 400)
  /// Random apps that draw in parts, each with every way to prefetch them.
  package static let prefetchedParts = Tries(160, soak: 10_000)
  package static let spreadParts = Tries(160, soak: 10_000)
  /// Random apps with advice, whose margins are checked in new runs.
  package static let margins = Tries(40, soak: 400)
  /// Shipped scenarios of which the advice is run and drawn, quick ones first.
  package static let advisedScenarios = Tries(8, soak: 1000)
  /// Pairs of results that differ by chance alone, and the same with a change planted.
  package static let chanceComparisons = Tries(100, soak: 20_000)
  /// Pairs of a place in a file and an extreme value, for each file that a command reads. `make ci` also reads a twentieth of all
  /// pairs, with the built program (`make hostile-tables`).
  package static let extremeValues = Tries(8, soak: 5000)
  /// Scenario files with a few bytes changed.
  package static let damagedFiles = Tries(60, soak: 20_000)
  /// Random apps, each measured for a second on request.
  package static let randomApps = Tries(300, soak: 300)
  /// Folders that are made while others look for leftovers.
  package static let lockedFolders = Tries(500, soak: 100_000)
  /// Kinds of system calls, at each of which every command that writes is killed.
  package static let killPoints = Tries(2, soak: 1000)
  /// Moments at which every command that takes long is interrupted.
  package static let interruptions = Tries(2, soak: 60)
  /// Processes that are killed while they keep jobs.
  package static let kills = Tries(20, soak: 2000)

  /// The seeds from 0 on, in eight parts that name what failed.
  package var parts: [Range<UInt64>] {
    let count = UInt64(count)
    return (0..<8).map { count * $0 / 8..<count * ($0 + 1) / 8 }
  }
}
