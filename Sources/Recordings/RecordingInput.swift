internal import Parsing

/// A recording that can be read repeatedly from its beginning.
struct RecordingInput {
  /// The largest recording from a pipe, which is kept in memory.
  static let largest = 256 << 20

  let name: String
  var namesFunctions = false
  private let path: String
  private let progress: ByteSource.Progress?
  /// Nil for a file.
  private let bytes: [UInt8]?

  init(path: String, progress: ByteSource.Progress? = nil) throws(InputError) {
    var source = try ByteSource(path: path, progress: progress)
    self.path = path
    self.progress = progress
    name = source.name
    bytes = source.canBeReadAgain ? nil : try source.readBinary(limit: Self.largest)
  }

  init(_ bytes: [UInt8], name: String) {
    self.name = name
    path = ""
    progress = nil
    self.bytes = bytes
  }

  /// The recording from its beginning, decompressed if necessary.
  func open() throws(InputError) -> ByteSource {
    if let bytes {
      var source = ByteSource(bytes, name: name)
      try source.inflateIfCompressed()
      return source
    }
    var source = try ByteSource(path: path, progress: progress)
    try source.inflateIfCompressed()
    return source
  }
}
