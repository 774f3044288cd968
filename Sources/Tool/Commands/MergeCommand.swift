internal import ArgumentParser

/// Puts the shards of a sweep together.
struct MergeCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Put the shards of a sweep together: the same bytes as of one process.",
    discussion: """
      Takes the folders that 'run --shard I/N' wrote, in any order. Every run must be there exactly once, made by the \
      same version from the same scenario with the same options. What is missing is named, with the command that \
      makes it. What an interrupted merge has left is gone on with.

      EXAMPLES:
        framebudget merge shards/* -o all
        framebudget merge shards/* -o all && framebudget report all -o all.html
      """)

  @Argument(help: "The folders of all shards.")
  var shards: [String]

  @Option(
    name: .output,
    help: ArgumentHelp("Write summary.csv, workloads.csv and sweep.json there.", valueName: "dir"))
  var folder: String

  @OptionGroup var notes: NoteOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    switch try ShardSet.of(shards) {
    case .failure(let missing):
      for line in missing.lines { console.complain(line) }
      throw ToolError(
        .failed, "\(missing.count) of \(missing.shards) shards are missing; nothing is merged")
    case .success(let set):
      let merge = ShardMerge(set)
      try merge.write(to: folder)
      if !notes.quiet {
        console.note("\(merge.runs) runs of \(shards.count) shards are in \(folder)")
      }
      return .success
    }
  }
}
