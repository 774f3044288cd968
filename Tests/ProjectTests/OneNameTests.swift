import FrameBudget
import Testing

@testable import FrameBudgetReports

/// Each fact about the files has one place in the sources, which all other code uses.
@Suite struct OneNameTests {
  private static let sources = SourceFile.all.filter { $0.path.hasPrefix("Sources/") }

  /// Of every file that the tool writes as a table.
  private static let columns: Set<String> = Set(
    SummaryCSV.format.columns.map(\.name) + WorkloadsCSV.format.columns.map(\.name)
      + SpansCSV.format.columns.map(\.name) + FramesCSV.columns.map(\.name)
      + LimitRecord.columns.map(\.name)
      + ImportCSV.format.columns.map(\.name) + ComparisonCSV.format.columns.map(\.name)
      + BenchCSV.columns.map(\.name) + BenchCSV.copyColumns.map(\.name)
      + HandOffCosts.Key.allCases.map(\.rawValue) + Costs.Key.allCases.map(\.rawValue)
      + Calibration.Key.allCases.map(\.rawValue)
      + Circumstances.Pressure.keys.map(\.name))

  @Test func `column names are declared once`() {
    // A name of one word is also a word in other contexts, such as scenario files and texts for people.
    let names = Self.columns.filter { $0.contains("_") }
    #expect(names.count > 90)
    #expect(Self.twice(names, in: Self.sources) == [])
  }

  @Test func `thresholds of metrics are declared once`() {
    let thresholds = [
      #"250 ?ms|milliseconds\(250\)"#, #"700 ?ms|milliseconds\(700\)"#, #"fair: 5, poor: 10"#,
    ]
    for threshold in thresholds {
      let files = Self.sources.filter { Self.isOfMetrics($0.path) }
      let lines: [String] = files.flatMap { $0.lines(matching: [threshold], raw: true) }
      let places = lines.filter { !$0.contains("//") }
      #expect(places.count == 1, "\(threshold): \(places)")
    }
  }

  @Test func `top-level types have unique names`() {
    let names = Self.sources.flatMap(\.outermostTypes)
    #expect(names.count > 500)
    let twice = Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }
    #expect(twice.keys.sorted() == [])
  }

  @Test func `a type's name is found after any modifiers, but not within another type`() {
    let file = SourceFile(
      path: "Sample.swift",
      text: """
        public final class First {
          struct Inside {}
        }
        @MainActor struct Second {}
        indirect enum Third {}
        private struct Own {}
        extension First {}
        """)
    #expect(file.outermostTypes == ["First", "Second", "Third"])
  }

  /// Code that counts, judges or describes frames; elsewhere such a time has another meaning.
  private static func isOfMetrics(_ path: String) -> Bool {
    ["Model", "Engines", "Input/Captures/Logs", "Views"].contains {
      path.hasPrefix("Sources/\($0)/")
    }
  }

  /// The places of literals that repeat an earlier name.
  private static func twice(_ names: Set<String>, in files: [SourceFile]) -> [String] {
    var seen: Set<String> = []
    return files.flatMap { file in
      file.literals.compactMap { literal in
        guard names.contains(literal.text), !seen.insert(literal.text).inserted else { return nil }
        return "\(file.path):\(literal.line): \(literal.text)"
      }
    }
  }

  @Test func `a name declared twice is found, but not in comments`() {
    let file = SourceFile(
      path: "Sample.swift",
      text: """
        let one = ["a_b", "c_d"]  // "c_d"
        /// As "c_d" does.
        let two = "a_b"
        """)
    #expect(Self.twice(["a_b", "c_d"], in: [file]) == ["Sample.swift:3: a_b"])
  }
}
