internal import Reports

/// All shards of one sweep, each exactly once.
struct ShardSet: Sendable {
  /// In their order.
  let shards: [ShardFolder]

  /// Why they are no whole sweep.
  struct Missing: Error {
    /// A line for each shard that is missing, with the command that makes it; of very many, for the first ones.
    let lines: [String]
    let count: Int
    let shards: Int
  }

  /// Fails with the shards that are not there, or with what is foreign or there twice.
  static func of(_ folders: [String]) throws(ToolError) -> Result<ShardSet, Missing> {
    var found: [Int: ShardFolder] = [:]
    var first: ShardFolder?
    var unfinished: [String] = []
    for folder in folders {
      guard let shard = try ShardFolder.open(folder) else {
        unfinished.append(folder)
        continue
      }
      try require(shard, like: first ?? shard)
      first = first ?? shard
      if let other = found.updateValue(shard, forKey: shard.manifest.shard) {
        throw ToolError(
          .badInput,
          "shard \(shard.manifest.shard)/\(shard.manifest.shards) is there twice, in \(other.path) "
            + "and in \(shard.path); leave one out")
      }
    }
    guard let first else {
      throw ToolError(
        .badInput, "\(folders[0]) is unfinished, and no other shard says what the sweep is")
    }
    let numbers = (1...first.manifest.shards).filter { found[$0] == nil }
    guard numbers.isEmpty else {
      return .failure(
        Missing(
          lines: lines(numbers, first, unfinished), count: numbers.count,
          shards: first.manifest.shards))
    }
    return .success(ShardSet(shards: found.sorted { $0.key < $1.key }.map(\.value)))
  }

  private static func require(_ shard: ShardFolder, like first: ShardFolder) throws(ToolError) {
    var difference = shard.manifest.difference(from: first.manifest)
    if shard.manifest.shards != first.manifest.shards {
      difference =
        difference ?? "one of \(shard.manifest.shards) instead of \(first.manifest.shards)"
    }
    guard let difference else { return }
    var own = first.manifest
    own.shard = min(shard.manifest.shard, own.shards)
    throw ToolError(
      .badInput,
      "shard \(shard.manifest.shard)/\(shard.manifest.shards) in \(shard.path) is of another sweep than "
        + "\(first.path): \(difference); \(own.command(into: shard.path)) makes the one that fits, "
        + "once that folder is moved away")
  }

  private static let mostTold = 1000

  private static func lines(
    _ missing: [Int], _ first: ShardFolder, _ unfinished: [String]
  ) -> [String] {
    var own = first.manifest
    let told = missing.prefix(mostTold).map { number in
      own.shard = number
      let folder = folder(of: number, like: first)
      let isUnfinished = unfinished.contains { $0.trimmed == folder.trimmed }
      return "shard \(number)/\(own.shards) is \(isUnfinished ? "unfinished" : "missing"): "
        + own.command(into: folder) + (isUnfinished ? " --resume" : "")
    }
    let rest = missing.count - told.count
    return told + (rest > 0 ? ["\(rest) more shards are missing"] : [])
  }

  /// The folder of another shard: named like that of `first` where its number ends its name.
  private static func folder(of number: Int, like first: ShardFolder) -> String {
    let path = first.path.trimmed
    let digits = String(first.manifest.shard)
    return path.hasSuffix(digits) ? path.dropLast(digits.count) + String(number) : "shard-\(number)"
  }
}

extension String {
  /// A folder's path without slashes at its end.
  fileprivate var trimmed: String {
    var path = self
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
