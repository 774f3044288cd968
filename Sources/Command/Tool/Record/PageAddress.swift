internal import Foundation
internal import Glibc

/// The page to record: a URL, or the path of a file.
struct PageAddress {
  /// The argument of the command.
  let text: String
  /// The URL for the browser.
  let url: String

  /// Of a page that is a file: its path. It and its flow may open the files in its folder.
  private let file: String?

  private static let schemes = ["http://", "https://", "file://"]

  init(_ text: String) throws(ToolError) {
    self.text = text
    if Self.schemes.contains(where: { text.lowercased().hasPrefix($0) }) {
      url = text
      file = Self.file(text)
      return
    }
    let isFolder = OutputFiles.isFolder(text)
    guard !isFolder, unsafe access(text, R_OK) == 0 else {
      let reason = isFolder ? "it is a folder" : "\(SystemError.last)"
      throw ToolError(
        .noInput,
        "cannot open \(text): \(reason); an address begins with http://, https:// or file://")
    }
    let address = URL(filePath: text).absoluteURL
    url = address.absoluteString
    file = address.standardized.path
  }

  /// Whether the page and its flow may open an address: one of a server, or of a file in the page's folder.
  func allows(_ address: String) -> Bool {
    if let other = Self.file(address) { return allows(file: other) }
    let scheme = URL(string: address)?.scheme?.lowercased()
    return scheme == "http" || scheme == "https"
  }

  /// A link in the folder may lead out of it, but the page itself was named by the user.
  private func allows(file other: String) -> Bool {
    guard let file else { return false }
    let folder = FilePath.folder(of: file)
    guard other != file, let found = FilePath.resolved(other),
      let place = FilePath.resolved(folder)
    else { return other.hasPrefix(folder) }
    return found.hasPrefix(place.hasSuffix("/") ? place : place + "/")
  }

  var isFile: Bool { file != nil }

  /// The absolute path in a file's URL; nil for other URLs.
  private static func file(_ address: String) -> String? {
    guard let url = URL(string: address), url.scheme?.lowercased() == "file" else { return nil }
    // Decoded first, because a browser decodes dots.
    return URL(filePath: url.path(percentEncoded: false)).standardized.path
  }
}
