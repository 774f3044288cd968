import Foundation
import TestSupport
import Testing

/// `Tests/Fuzz/fuzz.sh` compiles the fuzzed modules itself, one after the other.
@Suite struct FuzzScriptTests {
  @Test func `imports of a fuzzed module are compiled before it`() throws {
    let script = try String(
      contentsOf: Project.folder.appending(path: "Tests/Fuzz/fuzz.sh"), encoding: .utf8)
    let order = script.matches(of: #/^module (\w+)/#.anchorsMatchLineEndings()).map {
      String($0.1)
    }
    #expect(order.count > 5)
    for (place, module) in order.enumerated() {
      let missing = Self.imports(of: module).subtracting(order.prefix(place))
      #expect(missing == [], "\(module)")
    }
  }

  private static let files = SourceFile.all.filter { $0.path.hasPrefix("Sources/") }
  private static let modules = Set(files.map { String($0.path.split(separator: "/")[1]) })

  /// The package's own modules that `module` imports.
  private static func imports(of module: String) -> Set<String> {
    let lines = files.filter { $0.path.hasPrefix("Sources/\(module)/") }.flatMap(\.lines)
    let names = lines.compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place < 3 else { return nil }
      return words.dropFirst(place + 1).first.map(String.init)
    }
    return modules.intersection(names)
  }
}
