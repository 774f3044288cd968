import Foundation
import TestSupport
import Testing

/// `Tests/Fuzz/fuzz.sh` compiles the fuzzed modules itself, one after the other.
@Suite struct FuzzScriptTests {
  @Test func `imports of a fuzzed module are compiled before it`() throws {
    let script = try String(
      contentsOf: Project.folder.appending(path: "Tests/Fuzz/fuzz.sh"), encoding: .utf8)
    let order = script.matches(of: #/^module (\w+) (\S+)/#.anchorsMatchLineEndings()).map {
      (module: String($0.1), folder: String($0.2))
    }
    #expect(order.count > 4)
    for (place, entry) in order.enumerated() {
      let (module, folder) = entry
      let missing = Self.imports(of: folder).subtracting(order.prefix(place).map(\.module))
      #expect(missing == [], "\(module)")
    }
  }

  private static let files = SourceFile.all.filter { $0.path.hasPrefix("Sources/") }

  /// The package's own modules that the sources in `folder` import; C modules need no compilation.
  private static func imports(of folder: String) -> Set<String> {
    let lines = files.filter { $0.path.hasPrefix("\(folder)/") }.flatMap(\.lines)
    let names = lines.compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place < 3 else { return nil }
      return words.dropFirst(place + 1).first.map(String.init)
    }
    return Set(names.filter { $0.hasPrefix("FrameBudget") })
  }
}
