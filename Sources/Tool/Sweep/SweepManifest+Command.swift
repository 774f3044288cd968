internal import Parsing
internal import Reports

extension SweepManifest {
  /// The command that makes this shard in `folder`, as a shell takes it.
  func command(into folder: String) -> String {
    let words =
      ["framebudget", "run", scenario, "--engine", "virtual"] + options
      + (shards > 1 ? ["--shard", "\(shard)/\(shards)"] : []) + ["-o", folder]
    return words.map(Self.quoted).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || "-_./=,:+%@".unicodeScalars.contains($0)
    }
    if isPlain, !word.isEmpty { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
