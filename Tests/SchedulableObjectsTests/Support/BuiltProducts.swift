import Foundation

/// The folder of the build that these tests belong to.
enum BuiltProducts {
  static var folder: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }
}
