internal import ArgumentParser

/// How the runs of a sweep are divided, and what is done with what is there already.
struct SweepOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only the runs whose place in the order is I modulo N; auto: as a Slurm job array says.",
      valueName: "i/n"),
    transform: Shard.parse)
  var shard: Shard?

  @Option(
    parsing: .unconditional,
    help: .jobs,
    transform: WholeNumber.jobs)
  var jobs: Int?

  @Flag(help: "Go on with an unfinished sweep in the folder of -o; begin where there is none.")
  var resume = false

  @Flag(help: "Print what runs come to over all seeds, instead of each run; in seeds.csv too.")
  var summary = false

  @Flag(help: "Make a sweep of more than a million runs.")
  var yes = false

  /// Refuses what is for sweeps where there is none.
  func check(isSweep: Bool, folder: String?) throws {
    let given = [
      ("--shard", shard != nil), ("--jobs", jobs != nil), ("--resume", resume), ("--yes", yes),
      ("--summary", summary),
    ]
    for (flag, isGiven) in given where isGiven && !isSweep {
      throw ValidationError(
        "\(flag) is for sweeps: --vary with --engine virtual, without --frames and --trace")
    }
    for (flag, isGiven) in given where isGiven && folder == nil {
      if ["--shard", "--resume", "--summary"].contains(flag) {
        throw ValidationError("\(flag) needs -o DIR")
      }
    }
    if summary, shard != nil {
      throw ValidationError(
        "--summary is of all shards: after 'merge', the command without --shard, with --resume and --summary"
      )
    }
  }
}
