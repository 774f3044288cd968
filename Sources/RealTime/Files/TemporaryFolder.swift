internal import CLinux
internal import Foundation

/// A folder among the temporary ones, gone with this object, and when a signal ends the process.
final class TemporaryFolder: Sendable {
  let url: URL
  private let place: Int32

  /// - Parameter kind: what its name begins with, after the tool's.
  /// - Throws: Foundation's error where there is no room, or no permission.
  init(_ kind: String) throws {
    url = FileManager.default.temporaryDirectory
      .appending(component: "framebudget-\(kind)-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    place = unsafe clinux_unfinished(url.path(percentEncoded: false))
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
    clinux_finished(place)
  }
}
