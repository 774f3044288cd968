import Foundation
import Testing

/// The rules of the house that a machine can keep, over all Swift files of the project.
@Suite struct HouseRulesTests {
  private static let files = SourceFile.all()

  private func expectNone(
    _ what: String, of find: (SourceFile) -> [String],
    at location: SourceLocation = #_sourceLocation
  ) {
    let found = Self.files.flatMap(find)
    #expect(found.isEmpty, "\(what):\n\(found.joined(separator: "\n"))", sourceLocation: location)
  }

  @Test func `the walk finds the sources and the tests`() {
    for path in [
      "Sources/FrameBudget/Run/FrameLedger.swift", "Tests/ProjectTests/SourceFile.swift",
    ] {
      #expect(Self.files.contains { $0.path == path })
    }
  }

  @Test func `no file is longer than 500 lines`() {
    expectNone("too long") { $0.lines.count > 500 ? ["\($0.path): \($0.lines.count) lines"] : [] }
  }

  @Test func `no function is longer than 70 lines`() {
    expectNone("too long") { file in
      file.functions.filter { $0.length > 70 }
        .map { "\(file.path):\($0.line): \($0.length) lines" }
    }
  }

  @Test func `nothing is forced`() {
    expectNone("forced") { $0.lines(matching: [#"\btry!"#, #"\bas!"#]) }
  }

  @Test func `nothing is left to do`() {
    expectNone("left to do") { $0.lines(matching: [#"\b(TO"# + #"DO|FIX"# + #"ME)\b"#], raw: true) }
  }

  @Test func `locks are those that the thread sanitizer knows`() {
    expectNone("a Mutex where Locked belongs") { $0.lines(matching: [#"\bMutex[<(]"#]) }
  }

  @Test func `what the compiler cannot check is explained where it stands`() {
    expectNone("unexplained") { file in
      file.numbers(matching: [#"@unchecked\b"#, #"nonisolated\(unsafe\)"#])
        .filter { !file.hasComment(above: $0) }.map { "\(file.path):\($0 + 1)" }
    }
  }

  // MARK: The rules see what they forbid

  /// What is forbidden stands in string literals, which the rules do not read.
  private let sample = SourceFile(
    path: "Sample.swift",
    text: """
      /// Says as! and try! only in a comment, and below in a string.
      func short() { let text = "as! Z" }
      func long(
        _ x: Int
      ) {
        let y = \("try!") x \("as!") Int
      }

      struct Box: @\("unchecked") Sendable {}
      // Why this is safe.
      final class Safe: @\("unchecked") Sendable {
        init(
          _ text: String)
          throws
        {
          print("}")
        }
        var value: Int {
          1
        }
      }
      protocol Asks {
        func this()
        func that(
          of: Int
        )
      }
      struct Last {
        func body() {
        }
      }
      """)

  @Test func `a function ends at the brace under its keyword`() {
    #expect(sample.functions.map(\.line) == [2, 3, 12, 23, 24, 29])
    #expect(sample.functions.map(\.length) == [1, 5, 6, 1, 1, 2])
  }

  @Test func `words in comments and strings do not count`() {
    #expect(sample.numbers(matching: [#"\btry!"#, #"\bas!"#]) == [5])
  }

  @Test func `a comment within three lines above explains`() {
    let unsafe = sample.numbers(matching: [#"@unchecked\b"#])
    #expect(unsafe == [8, 10])
    #expect(unsafe.map(sample.hasComment(above:)) == [false, true])
  }
}
