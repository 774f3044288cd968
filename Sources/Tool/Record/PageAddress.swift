internal import Foundation
internal import Glibc

/// The page to record: a URL, or the path of a file.
struct PageAddress {
  /// The argument of the command.
  let text: String
  /// The URL for the browser.
  let url: String

  private static let schemes = ["http://", "https://", "file://"]

  init(_ text: String) throws(ToolError) {
    self.text = text
    if Self.schemes.contains(where: { text.lowercased().hasPrefix($0) }) {
      url = text
      return
    }
    let isFolder = ResultFolder.isFolder(text)
    guard !isFolder, unsafe access(text, R_OK) == 0 else {
      let reason = isFolder ? "it is a folder" : "\(SystemError.last)"
      throw ToolError(
        .noInput,
        "cannot open \(text): \(reason); an address begins with http://, https:// or file://")
    }
    url = URL(filePath: text).absoluteURL.absoluteString
  }
}
