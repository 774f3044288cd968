internal import Parsing
internal import Reports

extension SweepManifest {
  /// The command that makes this shard in `folder`, as a shell takes it.
  func command(into folder: String) -> String {
    let words =
      ["framebudget", "run", scenario, "--engine", "virtual"] + options
      + (shards > 1 ? ["--shard", "\(shard)/\(shards)"] : []) + ["-o", folder]
    return ShellWord.line(words)
  }
}
