/// An input that can be read repeatedly from its beginning: a file is opened again, and the content of a pipe is kept, up to
/// 256 MB in its compressed form.
public struct RereadableInput: Sendable {
  static let largest = 256 << 20

  public let name: String
  /// Nil for a file, whose path is the name.
  private let bytes: [UInt8]?

  /// Reads the rest of `source` if it cannot be opened again.
  public init(_ source: consuming ByteSource) throws(InputError) {
    name = source.name
    bytes = source.canBeReadAgain ? nil : try source.readBinary(limit: Self.largest)
  }

  public init(_ bytes: [UInt8], name: String) {
    self.name = name
    self.bytes = bytes
  }

  /// The path of a file; nil for an input that is kept.
  public var path: String? { bytes == nil ? name : nil }

  /// The input from its beginning, unpacked if necessary. `progress` is called occasionally while it is read.
  public func open(_ progress: ByteSource.Progress? = nil) throws(InputError) -> ByteSource {
    var source =
      if let bytes { ByteSource(bytes, name: name) } else {
        try ByteSource(path: name, progress: progress)
      }
    try source.unpack()
    return source
  }
}
