package import Foundation

/// The location of the project, and the products that were built for these tests.
package enum Project {
  /// The folder of `Package.swift`.
  package static let folder = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// A file of the project, by its path relative to that folder.
  package static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
  }

  /// The folder of the build that these tests belong to.
  package static var products: URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// A folder `shared/PATH` at or above the package, with files outside the repository; nil if it does not exist.
  package static func shared(_ path: String) -> String? {
    var above = "\(#filePath)"
    while let slash = above.lastIndex(of: "/") {
      above = String(above[..<slash])
      let candidate = "\(above)/shared/\(path)"
      if unsafe access(candidate, R_OK) == 0 { return candidate }
    }
    return nil
  }
}
