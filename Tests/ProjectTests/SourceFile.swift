import Foundation
import TestSupport

/// A Swift file of the project as its rules see it: lines, and the functions they form.
struct SourceFile: Sendable {
  /// From the project's folder on: `Sources/FrameBudget/Time/Instant.swift`.
  let path: String
  let lines: [String]
  /// The lines without what stands in comments and in string literals that end on their line.
  private let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = lines.map { line in
      let bare = line.replacing(#/"(?:\\.|[^"\\])*"/#, with: "\"\"")
      return String(bare.prefix(upTo: bare.firstRange(of: "//")?.lowerBound ?? bare.endIndex))
    }
  }

  /// Every Swift file under `Sources` and `Tests`, in the order of their paths.
  static func all() -> [SourceFile] {
    let paths = ["Sources", "Tests"].flatMap { folder in
      let names = FileManager.default.enumerator(
        atPath: Project.folder.appending(path: folder).path(percentEncoded: false))
      return (names?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
    }
    return paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      guard
        let text = try? String(contentsOf: Project.folder.appending(path: path), encoding: .utf8)
      else {
        return nil
      }
      return SourceFile(path: path, text: text)
    }
  }

  /// The places of lines, from 0, on which code matches one of `patterns`.
  func numbers(matching patterns: [String], raw: Bool = false) -> [Int] {
    let expressions = patterns.compactMap { try? Regex($0) }
    precondition(expressions.count == patterns.count, "regular expressions")
    return lines.indices.filter { number in
      let line = raw ? lines[number] : code[number]
      return expressions.contains { line.firstMatch(of: $0) != nil }
    }
  }

  func lines(matching patterns: [String], raw: Bool = false) -> [String] {
    numbers(matching: patterns, raw: raw).map { number in
      "\(path):\(number + 1): \(lines[number].trimmingCharacters(in: .whitespaces))"
    }
  }

  /// The names of the types that stand in no other and that other files see.
  var outermostTypes: [String] {
    code.compactMap { line in
      let before = #/^(?:@\w+ |public |package |final |indirect |nonisolated )*/#
      let kind = #/(?:struct|class|enum|actor|protocol|typealias) (?<name>\w+)/#
      let rest = line.trimmingPrefix(before)
      return rest.prefixMatch(of: kind).map { String($0.name) }
    }
  }

  /// The string literals that end on their line and hold nothing to be worked out, by the line on which they stand,
  /// from 1.
  var literals: [(line: Int, text: String)] {
    lines.enumerated().flatMap { number, line in
      let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
      return code.matches(of: #/"([^"\\]*)"/#).map { (number + 1, String($0.1)) }
    }
  }

  /// Whether one of the three lines above `number` is a comment, or its own line ends with one.
  func hasComment(above number: Int) -> Bool {
    lines[max(0, number - 3)...number].contains { $0.contains("//") }
  }

  /// Functions, initialisers, subscripts and variables, by the line on which they begin, from 1.
  ///
  /// swift-format puts the brace that ends a body under the keyword that began it, so indentation tells
  /// a function's length without reading Swift.
  var functions: [(line: Int, length: Int)] {
    let keyword =
      #/^( *)(?:[@\w()]+ )*(?:func |init[?(<]|deinit |subscript[(<]|var )/#
    return lines.indices.compactMap { start in
      guard let match = code[start].firstMatch(of: keyword) else { return nil }
      return (start + 1, length(from: start, indent: String(match.1)))
    }
  }

  /// One, where no body follows: a function on one line, a stored variable, or the requirement of a protocol.
  private func length(from start: Int, indent: String) -> Int {
    for number in lines.indices.dropFirst(start + 1) {
      let line = lines[number]
      // A closure that is called where it stands ends with `}()`.
      if line.hasPrefix(indent + "}") { return number - start + 1 }
      let isWithin = line.isEmpty || line.hasPrefix(indent + " ")
      let isSignature = line == indent + "{" || line.hasPrefix(indent + ")")
      if !isWithin && !isSignature { return 1 }
    }
    return 1
  }
}
