internal import Glibc

/// The browser that is installed.
struct BrowserProgram {
  /// As errors name it.
  let name: String
  let path: String

  /// In the order in which they are preferred.
  private static let names = [
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge",
    "brave-browser",
  ]

  /// The one that is asked for, by a path or a name, or else the first that is installed.
  init(_ wanted: String?, searching folders: String) throws(ToolError) {
    for name in wanted.map({ [$0] }) ?? Self.names {
      guard let path = ProgramPath.find(name, in: folders) else { continue }
      (self.name, self.path) = (name, path)
      return
    }
    if let wanted {
      throw ToolError(.unavailable, "--browser \(wanted): there is no such program")
    }
    throw ToolError(
      .unavailable,
      "no browser is installed; tried \(Self.names.joined(separator: ", ")); --browser names another"
    )
  }
}

/// Programs by name or path.
enum ProgramPath {
  /// Where the program is; nil if there is none that can be run. A name is looked for in `folders`, as in PATH.
  static func find(_ name: String, in folders: String) -> String? {
    let paths = name.contains("/") ? [name] : folders.split(separator: ":").map { "\($0)/\(name)" }
    return paths.first { unsafe access($0, X_OK) == 0 && !ResultFolder.isFolder($0) }
  }
}
