import Foundation
import TestSupport

/// A Swift file of the project, as needed by its rules: lines, and the functions that they form.
struct SourceFile: Sendable {
  /// Relative to the project's folder: `Sources/Model/FrameBudget/Time/TimeSpan.swift`.
  let path: String
  let lines: [String]
  /// The lines without comments and without the contents of string literals that end on their line.
  private let code: [String]
  /// The string literals that end on their line and have no escape, by their line, from 1.
  let literals: [(line: Int, text: String)]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let scanned = lines.map(Self.scan)
    code = scanned.map(\.code)
    literals = scanned.enumerated().flatMap { number, line in
      line.literals.map { (number + 1, $0) }
    }
  }

  /// By bytes, as a regular expression over every line of the project takes seconds.
  private static func scan(_ line: String) -> (code: String, literals: [String]) {
    let (quote, backslash, slash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"))
    let bytes = Array(line.utf8)
    var code: [UInt8] = []
    var literals: [String] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == slash, bytes[place...].dropFirst().first == slash { break }
      code.append(bytes[place])
      place += 1
      guard code.last == quote else { continue }
      var end = place
      while end < bytes.count, bytes[end] != quote { end += bytes[end] == backslash ? 2 : 1 }
      guard end < bytes.count else { continue }
      let literal = bytes[place..<end]
      if !literal.contains(backslash) { literals.append(String(decoding: literal, as: UTF8.self)) }
      code.append(quote)
      place = end + 1
    }
    return (String(decoding: code, as: UTF8.self), literals)
  }

  /// Every Swift file under `Sources` and `Tests`, in the order of their paths.
  static let all: [SourceFile] = ["Sources", "Tests"].flatMap { folder in
    let names = FileManager.default.enumerator(
      atPath: Project.folder.appending(path: folder).path(percentEncoded: false))
    return (names?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
  }
  .filter { $0.hasSuffix(".swift") }.sorted()
  .compactMap { path in (try? Project.text(path)).map { SourceFile(path: path, text: $0) } }

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

  /// The names of the types that are not nested and that other files can use.
  var outermostTypes: [String] {
    let modifiers: Set<Substring> = [
      "public", "package", "final", "indirect", "nonisolated",
    ]
    let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    return code.compactMap { line in
      let words = line.prefix { $0 != "{" }.split(separator: " ", omittingEmptySubsequences: false)
        .drop { modifiers.contains($0) || $0.hasPrefix("@") }
      guard let kind = words.first, kinds.contains(kind) else { return nil }
      return words.dropFirst().first.map {
        String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      }
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
    let words = ["func ", "init", "deinit ", "subscript", "var "]
    let keyword =
      #/^( *)(?:[@\w()]+ )*(?:func |init[?(<]|deinit |subscript[(<]|var )/#
    return lines.indices.compactMap { start in
      guard words.contains(where: code[start].contains),
        let match = code[start].firstMatch(of: keyword)
      else { return nil }
      return (start + 1, length(from: start, indent: String(match.1)))
    }
  }

  /// One, where no body follows: a function on one line, a stored variable, or the requirement of a protocol.
  private func length(from start: Int, indent: String) -> Int {
    for number in lines.indices.dropFirst(start + 1) {
      let line = lines[number]
      // A closure that is called in place ends with `}()`.
      if line.hasPrefix(indent + "}") { return number - start + 1 }
      let isWithin = line.isEmpty || line.hasPrefix(indent + " ")
      let isSignature = line == indent + "{" || line.hasPrefix(indent + ")")
      if !isWithin && !isSignature { return 1 }
    }
    return 1
  }
}
