internal import CLinux
internal import Parsing
internal import Reports

/// Puts the rows of all shards into their total order.
struct ShardMerge: ~Copyable {
  private let shards: [ShardFolder]
  private let manifest: SweepManifest

  init(_ set: ShardSet) {
    shards = set.shards
    var manifest = set.shards[0].manifest
    (manifest.shard, manifest.shards, manifest.files) = (1, 1, [])
    self.manifest = manifest
  }

  var runs: Int { manifest.runs }

  /// Writes what one process would have written that makes the whole sweep; goes on with what an interrupted one has
  /// left. Every file is looked through before.
  func write(to path: String) throws(ToolError) {
    try NewFile.requireAbsent("\(path)/\(SweepManifest.name)")
    for shard in shards { try shard.requireUndamaged() }
    // Two files of each shard are open at once.
    clinux_raise_file_limit()
    let readers = try shards.map { shard throws(ToolError) in try ShardReader(shard) }
    guard var folder = try SweepFolder.open(path, manifest, resumes: true) else { return }
    let runsBefore = folder.runs
    var batch = SweptBatch(keeping: .workloads)
    for place in 0..<manifest.runs {
      let run = try readers[place % readers.count].next()
      if place >= runsBefore { batch.add(run) }
      if batch.count < Self.batchSize, place + 1 < manifest.runs { continue }
      try folder.append(batch)
      batch = SweptBatch(keeping: .workloads)
    }
    for reader in readers { try reader.requireEnd() }
    try folder.finish()
  }

  private static let batchSize = 1000
}

/// The rows of a shard, one after the other.
private final class ShardReader {
  private let shard: ShardFolder
  private var rows: SweepRows

  init(_ shard: ShardFolder) throws(ToolError) {
    self.shard = shard
    rows = try ToolError.reading { () throws(InputError) in
      try SweepRows(
        summary: ByteSource(path: shard.file(SweepFolder.summary)),
        workloads: ByteSource(path: shard.file(SweepFolder.workloads)))
    }
  }

  func next() throws(ToolError) -> SweepRows.Run {
    guard let run = try ToolError.reading({ () throws(InputError) in try rows.next() }) else {
      throw shard.damaged("it has fewer runs than it should")
    }
    return run
  }

  func requireEnd() throws(ToolError) {
    let run = try ToolError.reading { () throws(InputError) in try rows.next() }
    guard run == nil, !rows.hasRest else {
      throw shard.damaged("it has more rows than it should")
    }
  }
}
