internal import Parsing

/// A recording that can be read from its beginning as often as it takes.
struct RecordingInput {
  /// What is kept of one that a pipe gives only once.
  static let largest = 256 << 20

  let name: String
  private let path: String
  private let progress: ByteSource.Progress?
  /// Nil of a file.
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

  /// The recording from its beginning, whether it was compressed or not.
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
