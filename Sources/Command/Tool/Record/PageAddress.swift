internal import Foundation
internal import Glibc

/// The page to record: a URL, or the path of a file.
struct PageAddress {
  /// The argument of the command.
  let text: String
  /// The URL for the browser.
  let url: String

  /// Of a page that is a file: the folder in which it and its flow may open files.
  private let folder: String?

  private static let schemes = ["http://", "https://", "file://"]

  init(_ text: String) throws(ToolError) {
    self.text = text
    if Self.schemes.contains(where: { text.lowercased().hasPrefix($0) }) {
      url = text
      folder = Self.file(text).map(Self.folder(of:))
      return
    }
    let isFolder = OutputFiles.isFolder(text)
    guard !isFolder, unsafe access(text, R_OK) == 0 else {
      let reason = isFolder ? "it is a folder" : "\(SystemError.last)"
      throw ToolError(
        .noInput,
        "cannot open \(text): \(reason); an address begins with http://, https:// or file://")
    }
    let file = URL(filePath: text).absoluteURL
    url = file.absoluteString
    folder = Self.folder(of: file.standardized.path)
  }

  /// Whether the page and its flow may open an address: one of a server, or of a file in the page's folder.
  func allows(_ address: String) -> Bool {
    if let file = Self.file(address) { return folder.map { file.hasPrefix($0) } ?? false }
    let scheme = URL(string: address)?.scheme?.lowercased()
    return scheme == "http" || scheme == "https"
  }

  var isFile: Bool { folder != nil }

  /// The absolute path in a file's URL; nil for other URLs.
  private static func file(_ address: String) -> String? {
    guard let url = URL(string: address), url.scheme?.lowercased() == "file" else { return nil }
    // Decoded first, because a browser decodes dots.
    return URL(filePath: url.path(percentEncoded: false)).standardized.path
  }

  /// With the slash at its end.
  private static func folder(of file: String) -> String {
    let folder = URL(filePath: file).deletingLastPathComponent().path
    return folder.hasSuffix("/") ? folder : folder + "/"
  }
}
