internal import Glibc
internal import Parsing
internal import Reports

/// A shard that a sweep has made: its folder, and what the manifest says of it.
struct ShardFolder: Sendable {
  let path: String
  let manifest: SweepManifest

  /// Fails where the folder has no whole shard; nil where what is there is unfinished.
  static func open(_ path: String) throws(ToolError) -> ShardFolder? {
    let file = "\(path)/\(SweepManifest.name)"
    if unsafe access(file, F_OK) != 0,
      unsafe access(GrowingFile.partial(SweepManifest.name, in: path), F_OK) == 0
    {
      return nil
    }
    let manifest = try ToolError.reading { () throws(InputError) in
      try SweepManifest(ByteSource(path: file))
    }
    return ShardFolder(path: path, manifest: manifest)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Fails unless the files have the bytes that the manifest says.
  func requireUndamaged() throws(ToolError) {
    for name in SweepFolder.names {
      guard let file = manifest.files.first(where: { $0.name == name }) else {
        throw damaged("\(SweepManifest.name) does not say what is in \(name)")
      }
      let (bytes, checksum) = try Self.content(self.file(name))
      guard bytes == file.bytes, checksum.text == file.checksum else {
        throw damaged("\(name) is not what was written: \(bytes) bytes of \(file.bytes), or others")
      }
    }
  }

  /// How the shard is made again.
  var remedy: String {
    "move it away and make it again: \(manifest.command(into: path))"
  }

  func damaged(_ why: String) -> ToolError {
    ToolError(
      .badInput,
      "shard \(manifest.shard)/\(manifest.shards) in \(path) is damaged: \(why); \(remedy)")
  }

  private static func content(
    _ path: String
  ) throws(ToolError) -> (bytes: Int, checksum: Checksum) {
    try ToolError.reading { () throws(InputError) in
      var source = try ByteSource(path: path)
      var block = [UInt8](repeating: 0, count: 1 << 16)
      var bytes = 0
      var checksum = Checksum()
      while true {
        let count = try source.read(into: &block, from: 0)
        if count == 0 { return (bytes, checksum) }
        bytes += count
        checksum.add(Array(block[..<count]))
      }
    }
  }
}
