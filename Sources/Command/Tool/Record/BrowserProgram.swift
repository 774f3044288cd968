internal import Glibc

/// An installed browser.
struct BrowserProgram {
  /// The name in errors.
  let name: String
  let path: String

  /// Preferred browsers first.
  private static let names = [
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge",
    "brave-browser",
  ]

  /// The wanted browser, by path or name; nil means the first that is installed.
  init(_ wanted: String?, searching folders: String) throws(ToolError) {
    for name in wanted.map({ [$0] }) ?? Self.names {
      guard let path = ProgramPath.find(name, in: folders) else { continue }
      (self.name, self.path) = (name, path)
      return
    }
    if let wanted {
      throw ToolError(
        .unavailable,
        "--browser \(wanted): no such program exists; allowed: the name or path of a Chromium-based browser, such as "
          + Self.names.joined(separator: ", "))
    }
    throw ToolError(
      .unavailable,
      "no browser is installed; tried \(Self.names.joined(separator: ", ")); --browser names another"
    )
  }
}

/// Programs by name or path.
enum ProgramPath {
  /// The path of the program; nil if there is no such executable. A name is searched in `folders`, as in PATH.
  static func find(_ name: String, in folders: String) -> String? {
    let paths = name.contains("/") ? [name] : folders.split(separator: ":").map { "\($0)/\(name)" }
    return paths.first { unsafe access($0, X_OK) == 0 && !OutputFiles.isFolder($0) }
  }
}
