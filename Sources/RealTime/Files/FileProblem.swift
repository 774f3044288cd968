internal import Glibc

/// Why a file or a folder cannot be worked on, as a sentence.
public struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  /// The system's own words about the last call, which was about `path`.
  init(last path: String) {
    self.init(unsafe "cannot read \(path): \(String(cString: strerror(errno)))")
  }
}
