import Foundation
import FrameBudget
import Testing

/// The name, default and range of an option are in its declaration, and nowhere else in the sources.
@Suite struct `The declaration of an option` {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../Sources").standardizedFileURL

  /// All Swift sources, comments left out: those show options in use.
  private static let lines: [String] = {
    let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String }
    return (names ?? []).filter { $0.hasSuffix(".swift") }.flatMap { name in
      let text = try? String(contentsOf: sources.appending(path: name), encoding: .utf8)
      return (text ?? "").split(separator: "\n").map { line in
        String(line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex))
      }
    }
  }()

  private static let options = Set(
    StrategyCatalog.all.flatMap(\.options)
      + CarrierKind.allCases.flatMap(\.description.options))

  @Test func `is the only place in the sources that spells its default`() {
    #expect(Self.options.count > 20 && Self.lines.count > 10_000)
    for option in Self.options {
      let found = Self.lines.filter { $0.contains("\"\(option.assignment)\"") }
      #expect(found == [], "\(option.name)")
    }
  }

  /// The value of an option is read by its declaration, so no other default can be given.
  @Test func `is unique by name, except for options that differ`() {
    let text = Self.lines.joined(separator: "\n")
    for (name, same) in Dictionary(grouping: Self.options, by: \.name) {
      let declared = text.matches(of: /StrategyOption\(\s*"([a-z-]+)"/).count { $0.1 == name }
      #expect(declared == same.count, "\(name)")
    }
  }

  /// A default from elsewhere is a named value; a literal is in the declaration.
  @Test func `uses the named range of the value that it sets`() throws {
    let width = try #require(StrategyCatalog.named("gcd-concurrent")?.options.first)
    #expect(width.kind == .count(Lane.widths))
    let speedup = try #require(StrategyCatalog.named("optimised")?.options.first)
    #expect(speedup.kind == .factor(Arrangement.speedups))
    for literal in ["1...256", "0...19", "0.001...1000"] {
      // A range such as -20...19 is another one.
      let whole = Self.lines.count { line in
        line.ranges(of: literal).contains { range in
          line[..<range.lowerBound].last?.isNumber != true
        }
      }
      #expect(whole == 1, "\(literal)")
    }
  }
}
