import Foundation
import FrameBudget
import FrameBudgetParsing
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Files with extremely large, small and wrong numbers, and with hostile names, as input of
/// the commands that read them. `Measured` has the limits of time and memory; a crash ends the process of the tests.
struct ExtremeValueTests {
  private static let values = [
    "0", "-1", "1", "2147483648", "1000000000", "8796093022207", "1125899906842623",
    "9007199254740993", "999999999999999", "4611686018427387904", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "18446744073709551616", "0.000001", "-0.5",
    "1e15", "1e18", "9.3e18", "1e308", "-1e308", "5e-324", "1.7976931348623157e308", "nan", "inf",
    "Infinity", "", "word", String(repeating: "9", count: 400),
    String(repeating: "9", count: 1_000_000),
  ]

  /// Slow: reads a file for each of many pairs of a column and a value.
  @Test(arguments: OutsideFile.allCases.filter(\.isTable))
  func `a table with any number in any column is read or refused`(_ file: OutsideFile) throws {
    let lines = Self.lines(of: try file.text)
    for (column, place) in Self.pairs(of: Self.columns(of: lines)) {
      let value = Self.values[place]
      // In every row, in one of them, or in all but the last.
      let rows = value.utf8.count > 1000 ? 1..<2 : Self.rows(of: lines, variant: place + column)
      let changed = lines.indices.map { row in
        rows.contains(row) ? Self.replacing(column, of: lines[row], by: value) : lines[row]
      }
      try Self.check(changed, of: file, "column \(column) '\(value.prefix(40))'")
    }
  }

  /// Slow: reads a file repeatedly, each time without another column.
  @Test(arguments: OutsideFile.allCases.filter(\.isTable))
  func `a table without one of its columns is read or refused`(_ file: OutsideFile) throws {
    let lines = Self.lines(of: try file.text)
    for column in Self.chosen(of: Self.columns(of: lines)) {
      let changed = lines.map { line in
        var fields = Self.fields(of: line)
        if fields.indices.contains(column) { fields.remove(at: column) }
        return fields.joined(separator: ",")
      }
      try Self.check(changed, of: file, "without column \(column)")
    }
  }

  /// Slow: reads a file for each of many pairs of a number in it and a value.
  @Test(arguments: OutsideFile.allCases.filter { !$0.isTable })
  func `a file with any number in any place is read or refused`(_ file: OutsideFile) throws {
    let text = try file.text
    let places = text.ranges(of: /-?[0-9]+(\.[0-9]+)?/)
    for (number, place) in Self.pairs(of: places.count) {
      let value = Self.values[place]
      let changed = text.replacingCharacters(in: places[number], with: value)
      try Self.check([changed], of: file, "number \(number) '\(value.prefix(40))'")
    }
  }

  // MARK: Time

  /// In milliseconds since the file's zero: before all others, hours and years after them, and at the edge of the range.
  private static let instants = [
    "-10000000", "0", "10000000", "1000000000", "100000000000000", "9223372036854",
  ]

  private static func instants(of file: OutsideFile, in text: String) -> [Range<String.Index>] {
    let pattern =
      file == .systrace ? #/\s([0-9]+\.[0-9]+): /# : #/"ts":\s*([0-9.]+)/#
    return text.matches(of: pattern).map { $0.output.1.startIndex..<$0.output.1.endIndex }
  }

  /// Slow: replays the learned scenario, with a minute for each gap.
  @Test(arguments: [
    OutsideFile.chromeRecording, .flutterRecording, .ownRecording, .systrace, .trace, .compositor,
  ])
  func `one event at any time, or all at once, is read or refused`(_ file: OutsideFile) throws {
    let text = try file.text
    let places = Self.instants(of: file, in: text)
    #expect(places.count > 2)
    // The first event, the one in the middle, the last, and all of them.
    let wheres: [ArraySlice<Range<String.Index>>] = [
      places[...0], [places[places.count / 2]], places.suffix(1), places[...],
    ]
    for number in Self.chosen(of: Self.instants.count * wheres.count) {
      let milliseconds = Self.instants[number / wheres.count]
      let instant = file == .systrace ? "\(milliseconds).000000" : "\(milliseconds)000"
      var changed = text
      for place in wheres[number % wheres.count].reversed() {
        changed.replaceSubrange(place, with: instant)
      }
      try Self.check(
        [changed], of: file, "events at \(milliseconds) ms: \(number % wheres.count)")
    }
  }

  /// Slow: reads a megabyte of events in code that is not optimised.
  @Test(arguments: [OutsideFile.chromeRecording, .flutterRecording, .systrace, .compositor])
  func `an event that happens thousands of times at once is read or refused`(_ file: OutsideFile)
    throws
  {
    let text = try file.text
    let place = try #require(Self.instants(of: file, in: text).last)
    let begin = file == .systrace ? "\n" : "{\"name\""
    let start = try #require(text[..<place.lowerBound].ranges(of: begin).last?.lowerBound)
    let tail = text[place.upperBound...]
    let end: String.Index
    if file == .systrace {
      end = try #require(tail.firstIndex(of: "\n"))
    } else {
      // Behind the brace that closes the event.
      var depth = 1
      end = try #require(
        tail.indices.first { index in
          if tail[index] == "{" { depth += 1 }
          if tail[index] == "}" { depth -= 1 }
          return depth == 0
        }.map(tail.index(after:)))
    }
    let event = String(text[start..<end])
    let more = Array(repeating: event, count: 1_000_000 / event.utf8.count)
    let changed = text.replacingCharacters(
      in: start..<end, with: more.joined(separator: file == .systrace ? "" : ","))
    try Self.check([changed], of: file, "one event many times")
  }

  @Test(.enabled(if: Measured.isAlone)) func `more memory than a file may cost is found`() throws {
    let measured = try Measured {
      let block = Data(repeating: 1, count: Measured.mostMemory + (64 << 20))
      return try withExtendedLifetime(block) { try Performed("list") }
    }
    #expect(measured.faults.count == 1 && measured.faults.first?.hasPrefix("used ") == true)
    #expect(try Measured(["list"]).faults.isEmpty)
    #expect(measured.processorTime ?? .zero > .zero)
  }

  // MARK: Names

  /// It ends a cell of a table, begins a formula, a link and a tag, names the terminal's window and turns the text around.
  private static let name =
    "=a|b`*[x](y)<script>alert(1)</script>'\u{1B}]0;z\u{7}\u{9B}31m\u{202E}::error::"

  /// Slow: reads a file for each of many names in it.
  @Test(arguments: OutsideFile.allCases.filter(\.hasQuotedNames))
  func `JSON with a hostile name in any place is read or refused`(_ file: OutsideFile) throws {
    let text = try file.text
    let quoted = OutputContext.json.escaped(Self.name)
    // Keys, which are followed by a colon, stay.
    let places = text.ranges(of: /"[^"\\]*"(?!\s*:)/)
    for name in Self.chosen(of: places.count) {
      try Self.check(
        [text.replacingCharacters(in: places[name], with: quoted)], of: file, "name \(name)")
    }
  }

  /// Slow: reads a file for each of many columns.
  @Test(arguments: OutsideFile.allCases.filter(\.isTable))
  func `a table with a hostile name in any column is read or refused`(_ file: OutsideFile) throws {
    let lines = Self.lines(of: try file.text)
    for column in Self.chosen(of: Self.columns(of: lines)) {
      let changed = lines.enumerated().map { row, line in
        row == 0 ? line : Self.replacing(column, of: line, by: "\"\(Self.name)\"", always: true)
      }
      try Self.check(changed, of: file, "name in column \(column)")
    }
  }

  @Test func `the names of a systrace's threads and slices are read or refused`() throws {
    let text = try OutsideFile.systrace.text
    for old in ["B|", "-"] {
      try Self.check(
        [text.replacing(old, with: old == "-" ? Self.name + old : old)], of: .systrace, old)
    }
    let marks = text.replacing(/B\|(\d+)\|/) { "B|\($0.output.1)|\(Self.name)" }
    try Self.check([marks], of: .systrace, "names of slices")
  }

  // MARK: Tried values

  /// Pairs of a place and a value, of which each place has other values than the next one.
  private static func pairs(of count: Int) -> [(place: Int, value: Int)] {
    chosen(of: count * values.count).map { ($0 / values.count, $0 % values.count) }
  }

  /// As many of `count` as are tried, far apart, by a step that has no part in common with the number of values.
  private static func chosen(of count: Int) -> [Int] {
    var step = max(1, count / Tries.extremeValues.count)
    while step > 1, [2, 3, 5].contains(where: { step % $0 == 0 }) { step += 1 }
    return Array(stride(from: 0, to: count, by: step))
  }

  // MARK: Checks

  private static func check(
    _ lines: [String], of file: OutsideFile, _ what: String
  ) throws {
    let attempt = try file.attempt(lines.joined(separator: "\n"))
    #expect(attempt.faults.isEmpty, "\(what): \(attempt.faults)")
    for done in attempt.done {
      // If they were not in the file, for example as the name of a process, they were calculated.
      for word in ["\"nan", "\"inf", "\"-inf", ",nan", ",inf"] where !what.contains(/'(nan|inf)/) {
        #expect(!done.output.contains(word), "\(what): \(word)")
      }
      // A page, XML or Markdown.
      if done.output.hasPrefix("<") || done.output.hasPrefix("#") {
        #expect(!done.output.contains("<script>alert"), "\(what)")
      }
    }
  }

  // MARK: Damage

  /// Lines without their ends, of which CR LF is one character.
  private static func lines(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  private static func columns(of lines: [String]) -> Int {
    lines.map { fields(of: $0).count }.max() ?? 0
  }

  /// The texts in the line, including quotes.
  private static func fields(of line: String) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in line {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return fields
  }

  private static func rows(of lines: [String], variant: Int) -> Range<Int> {
    let last = lines.count - 1
    switch variant % 3 {
    case 0: return 1..<lines.count
    case 1: return max(1, last - 1)..<last
    default: return 1..<max(2, last - 1)
    }
  }

  private static func replacing(
    _ column: Int, of line: String, by value: String, always: Bool = false
  ) -> String {
    var fields = fields(of: line)
    guard fields.indices.contains(column), always || fields[column].contains(where: \.isNumber)
    else { return line }
    fields[column] = value
    return fields.joined(separator: ",")
  }
}
