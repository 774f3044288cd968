import Foundation

/// Files of the repository that tests read.
enum RepositoryFiles {
  /// The folder of the reference results.
  static var reference: String { path("results/reference") }

  static func path(_ place: String) -> String {
    URL(filePath: #filePath).appending(path: "../../../../\(place)").standardized.path
  }
}
