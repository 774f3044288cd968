import Foundation
import TestSupport
import Testing

/// The rules of the project that can be checked automatically, for all its Swift files.
@Suite struct HouseRulesTests {
  private static let files = SourceFile.all

  @Test func `the walk finds the sources and the tests`() {
    for path in [
      "Sources/Model/FrameBudget/Run/FrameLedger.swift", "Tests/ProjectTests/SourceFile.swift",
    ] {
      #expect(Self.files.contains { $0.path == path })
    }
  }

  /// Slow: searches every line of the project.
  @Test(arguments: HouseRule.all)
  func `a rule is kept by every file`(_ rule: HouseRule) {
    let found = Self.files.flatMap(rule.violations)
    #expect(found.isEmpty, "not so:\n\(found.joined(separator: "\n"))")
  }

  /// Outputs of a command that somebody tried in the project's folder are easily kept with a change.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(
        atPath: Project.folder.appending(path: ".git").path(percentEncoded: false)),
      "the project is no checkout of git"))
  func `the project's own folder has the usual files only, and none without content`() throws {
    let listed = try FinishedProgram(["git", "-C", Project.folder.path(), "ls-files"])
    try #require(listed.status == 0, "git lists no files: \(listed.output)")
    let files = listed.output.split(separator: "\n").map(String.init)
    let usual: Set = [
      ".dockerignore", ".editorconfig", ".gitignore", ".swift-format", "CHANGELOG.md",
      "CONTRIBUTING.md", "Dockerfile", "LICENSE", "Makefile", "Package.swift", "README.md",
      "action.yml",
    ]
    #expect(files.filter { !$0.contains("/") && !usual.contains($0) } == [])
    let empty = files.filter { (try? Project.text($0))?.isEmpty ?? false }
    #expect(empty == ["Tests/Input/ScenariosTests/Broken/yaml-empty.yaml"])
  }

  // MARK: The rules find violations

  @Test(arguments: HouseRule.all)
  func `a rule finds each file that breaks it`(_ rule: HouseRule) {
    for sample in rule.samples {
      #expect(rule.violations(SourceFile(path: "Sample.swift", text: sample)).count == 1)
    }
    #expect(rule.violations(SourceFile(path: "Sample.swift", text: "struct Sample {}\n")) == [])
  }

  /// Violations are in string literals, which the rules do not read.
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
    #expect(sample.functions.map(\.line) == [2, 3, 12, 18, 23, 24, 29])
    #expect(sample.functions.map(\.length) == [1, 5, 6, 3, 1, 1, 2])
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
