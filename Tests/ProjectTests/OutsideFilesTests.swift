import Foundation
import TestSupport
import Testing

/// Compares the hostile files of tests with the readers: finds a new reader, column or key without such tests.
@Suite struct OutsideFilesTests {
  private static func text(of folder: String, _ suffixes: String...) throws -> String {
    let root = Project.folder.appending(path: folder)
    let names = FileManager.default.enumerator(atPath: root.path(percentEncoded: false))
    let chosen = (names?.compactMap { $0 as? String } ?? []).sorted().filter { name in
      suffixes.contains { name.hasSuffix($0) }
    }
    // Not all seeds are UTF-8.
    return try chosen.map {
      String(decoding: try Data(contentsOf: root.appending(path: $0)), as: UTF8.self)
    }.joined(separator: "\n")
  }

  private static func sources(_ folders: String...) -> [SourceFile] {
    SourceFile.all.filter { file in folders.contains { file.path.hasPrefix("Sources/\($0)/") } }
  }

  @Test func `every column that a reader of logs reads is in a seed`() throws {
    let seeds = try Self.text(of: "Tests/Fuzz/Seeds", ".csv", ".txt").lowercased()
    let asked = Self.sources("Input/Captures/Logs").flatMap { file in
      let text = file.lines.joined(separator: "\n")
      return text.matches(of: #/column\("([^"]+)"\)/#).map { String($0.output.1) }
        + text.matches(of: #/\("([a-z_]+)", \d\)/#).map { String($0.output.1) }
    }.filter { !$0.hasPrefix("_") }
    #expect(asked.count > 25 && asked.contains("msanimationerror"))
    let names = Set(seeds.split { ",\n\r\u{FEFF} \t".contains($0) }.map(String.init))
    #expect(Set(asked).subtracting(names).sorted() == [])
  }

  @Test func `every key and name that a reader of JSON knows is in a seed`() throws {
    let seeds = try Self.text(of: "Tests/Fuzz/Seeds", ".json", ".xml")
    let known = Self.sources("Input/Captures/Recordings/Chrome", "Input/Captures/Logs/Formats")
      .flatMap { file in
        file.literals.filter { line, _ in
          let code = file.lines[line - 1].trimmingCharacters(in: .whitespaces)
          return code.hasPrefix("case ") && !code.contains("failure(") && !code.contains(".note")
        }.map(\.text)
      }
    #expect(known.count > 25 && known.contains("EventTiming") && known.contains("flow_in"))
    let missing = Set(known).filter { !seeds.contains("\"\($0)\"") && !seeds.contains(">\($0)<") }
    #expect(missing.sorted() == [])
  }

  /// Those of `FrameBudgetParsing` are parts of readers.
  @Test func `every reader of a file is fuzzed`() throws {
    let fuzzed = try Self.text(of: "Tests/Fuzz", ".swift")
    var readers: Set<String> = []
    for file in Self.sources(
      "Views/Reports", "Input/Captures", "Input/Scenarios", "Command/Tool/Record")
    {
      let text = file.lines.joined(separator: "\n")
      let reads =
        #/(public|package)( static| mutating)? (init|func \w+)\(\s*_ (source: consuming ByteSource|bytes: \[UInt8\])|  init\(parsing bytes/#
      guard text.contains(reads) else { continue }
      let type = try #require(
        text.firstMatch(
          of: #/\n(?:(?:public|package|final) )*(?:struct|enum|extension|class) (\w+)/#))
      readers.insert(String(type.output.1))
    }
    #expect(readers.isSuperset(of: ["ResultSet", "SweepManifest", "UserFlow", "ImportedLog"]))
    #expect(readers.filter { !fuzzed.contains($0) }.sorted() == [])
  }

  @Test func `every table of a log has its own fuzz target`() throws {
    let tables = Self.sources("Input/Captures/Logs").flatMap(\.lines).compactMap { line in
      line.firstMatch(of: #/struct (\w+): LogTable\b/#).map { String($0.output.1) }
    }
    let targets = try Project.text("Tests/Fuzz/FuzzTarget.swift")
    #expect(tables.count > 4)
    #expect(tables.filter { !targets.contains("\($0).self") } == [])
  }

  @Test func `every target is in the script that fuzzes all`() throws {
    let script = try Self.text(of: "Tests/Fuzz", ".sh")
    let all = try #require(script.firstMatch(of: #/all="([^"]+)"/#)).output.1.split {
      $0.isWhitespace
    }
    let targets = try Project.text("Tests/Fuzz/FuzzTarget.swift").split(separator: "\n").filter {
      $0.hasPrefix("  case ")
    }.flatMap { line in
      line.dropFirst(7).split(separator: ", ").map { name in
        let raw = name.split(separator: "\"")
        return String(raw.count > 1 ? raw[1] : name)
      }
    }
    #expect(targets.count > 25)
    #expect(all.map(String.init).sorted() == targets.sorted())
  }
}
