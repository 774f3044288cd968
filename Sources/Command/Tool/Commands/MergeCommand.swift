internal import ArgumentParser
internal import CFrameBudgetLinux
internal import Glibc
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// Merges the shards of a sweep.
struct MergeCommand: ToolCommand {
  static let outcomes: [CommandOutcomes] = [
    CommandOutcomes(
      form: "merge",
      success: "the shards are merged",
      failed: "shards are missing")
  ]

  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the shards of a sweep, with the same bytes as from a single process.",
    discussion: """
      Takes the folders of 'run --shard I/N', in any order. Every run must exist exactly once, from the same version, \
      scenario and options. For missing shards it prints the commands that make them. An interrupted merge is resumed.

      \(outcomes[0].sentence)

      EXAMPLES:
        framebudget merge shards/* -o all
        framebudget merge shards/* -o all && framebudget report all -o all.html
      """)

  @Argument(help: "The folders of all shards.", completion: .directory)
  var shards: [String]

  @Option(
    name: .output,
    help: ArgumentHelp("Write summary.csv, workloads.csv and sweep.json.", valueName: "dir"),
    completion: .directory)
  var folder: String

  @OptionGroup var notes: NoteOptions

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    for shard in shards { try OutputFiles.complete(shard, on: console) }
    switch try ShardSet.of(shards) {
    case .failure(let missing):
      for line in missing.lines { console.printError(line) }
      throw ToolError(
        .failed, "\(missing.count) of \(missing.shards) shards are missing; nothing is merged")
    case .success(let set):
      let merge = ShardMerge(set)
      console.setLastWords("interrupted; the same command continues the merge")
      try merge.write(to: folder, on: console)
      console.setLastWords("interrupted; the result is in \(folder)")
      if !notes.quiet {
        console.note("\(merge.runs) runs of \(shards.count) shards are in \(folder)")
      }
      return .success
    }
  }
}

/// All shards of one sweep, each exactly once.
struct ShardSet: Sendable {
  /// The shards in their order.
  let shards: [ShardFolder]

  /// Shards that are missing.
  struct Missing: Error {
    /// A line for each missing shard, with the command that makes it; only the first ones if there are very many.
    let lines: [String]
    let count: Int
    let shards: Int
  }

  /// Fails with the missing shards. Throws if one is from another sweep or a duplicate.
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
          "shard \(shard.manifest.shard)/\(shard.manifest.shards) exists twice, in \(other.path) "
            + "and in \(shard.path); leave one out")
      }
    }
    guard let first else {
      throw ToolError(
        .badInput, "\(folders[0]) is unfinished, and no other shard describes the sweep")
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
        + "\(first.path): \(difference); \(own.command(into: shard.path)) makes the matching one, "
        + "after that folder is moved away")
  }

  private static let maxListed = 1000

  private static func lines(
    _ missing: [Int], _ first: ShardFolder, _ unfinished: [String]
  ) -> [String] {
    var own = first.manifest
    let listed = missing.prefix(maxListed).map { number in
      own.shard = number
      let folder = folder(of: number, like: first)
      let isUnfinished = unfinished.contains { FilePath.trimmed($0) == FilePath.trimmed(folder) }
      return "shard \(number)/\(own.shards) is \(isUnfinished ? "unfinished" : "missing"): "
        + own.command(into: folder) + (isUnfinished ? " --resume" : "")
    }
    let rest = missing.count - listed.count
    return listed + (rest > 0 ? ["\(rest) more shards are missing"] : [])
  }

  /// The folder of another shard: the name of `first` with another number at its end.
  private static func folder(of number: Int, like first: ShardFolder) -> String {
    let path = FilePath.trimmed(first.path)
    let digits = String(first.manifest.shard)
    return path.hasSuffix(digits) ? path.dropLast(digits.count) + String(number) : "shard-\(number)"
  }
}

/// A finished shard of a sweep: its folder and its manifest.
struct ShardFolder: Sendable {
  let path: String
  let manifest: SweepManifest

  /// Nil if the shard is unfinished.
  static func open(_ path: String) throws(ToolError) -> ShardFolder? {
    let file = "\(path)/\(SweepManifest.name)"
    if unsafe access(file, F_OK) != 0,
      unsafe access(GrowingFile.partial(SweepManifest.name, in: path), F_OK) == 0
    {
      return nil
    }
    return ShardFolder(path: path, manifest: try SweepManifest.read(file))
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Throws if the files differ from the sizes and checksums in the manifest.
  func requireUndamaged() throws(ToolError) {
    for name in SweepFolder.names {
      guard let file = manifest.files.first(where: { $0.name == name }) else {
        throw damaged("\(SweepManifest.name) has no entry for \(name)")
      }
      let found = try FileContent(self.file(name), upTo: file.bytes)
      guard found.bytes == file.bytes, found.checksum.text == file.checksum else {
        let size = found.bytes > file.bytes ? "more than" : "\(found.bytes) of"
        throw damaged("\(name) was changed: it has \(size) \(file.bytes) bytes, or other bytes")
      }
    }
  }

  /// The command that makes the shard again.
  var remedy: String {
    "move it away and run it again: \(manifest.command(into: path))"
  }

  func damaged(_ why: String) -> ToolError {
    ToolError(
      .badInput,
      "shard \(manifest.shard)/\(manifest.shards) in \(path) is damaged: \(why); \(remedy)")
  }
}

/// The size and the checksum of a file.
struct FileContent {
  private(set) var bytes = 0
  private(set) var checksum = Checksum()

  /// Stops after more than `most` bytes: the file may be endless.
  init(_ path: String, upTo most: Int) throws(ToolError) {
    try ToolError.reading { () throws(InputError) in
      var source = try ByteSource(path: path)
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while bytes <= most {
        let count = try source.read(into: &block, from: 0)
        if count == 0 { break }
        bytes += count
        checksum.add(Array(block[..<count]))
      }
    }
  }
}

/// Merges the rows of all shards in their total order.
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

  /// Writes the same files as one process for the whole sweep. Verifies all shards first, and continues an interrupted merge.
  func write(to path: String, on console: Console) throws(ToolError) {
    try OutputFiles.complete(path, on: console)
    try NewFile.requireAbsent("\(path)/\(SweepManifest.name)")
    for shard in shards { try shard.requireUndamaged() }
    // Two files of each shard are open at once.
    clinux_raise_file_limit()
    let readers = try shards.map { shard throws(ToolError) in try ShardReader(shard) }
    guard var folder = try SweepFolder.open(path, manifest, resumes: true, on: console) else {
      return
    }
    let runsBefore = folder.runs
    var batch = SweepBatch(keeping: .workloads)
    var last: SweepRows.Run?
    for place in 0..<manifest.runs {
      let run = try readers[place % readers.count].next(after: last)
      last = run
      if place >= runsBefore { batch.add(run) }
      if batch.count < Self.batchSize, place + 1 < manifest.runs { continue }
      try folder.append(batch)
      batch = SweepBatch(keeping: .workloads)
    }
    for reader in readers { try reader.requireEnd() }
    try folder.finish()
  }

  private static let batchSize = 1000
}

/// Reads the rows of a shard, one after the other.
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

  /// `last` is the run before it in the whole sweep, perhaps of another shard.
  func next(after last: SweepRows.Run?) throws(ToolError) -> SweepRows.Run {
    guard let run = try ToolError.reading({ () throws(InputError) in try rows.next() }) else {
      throw shard.damaged("it has fewer runs than it should")
    }
    if let last, run.contradicts(last) {
      throw shard.damaged(
        "\(SweepFolder.workloads) has \(run.count) lines of a run, and \(last.count) of another one with the same changes"
      )
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
