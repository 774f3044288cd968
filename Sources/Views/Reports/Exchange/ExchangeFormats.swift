internal import FrameBudget
internal import FrameBudgetParsing

/// JUnit's XML, which most CI systems read.
struct JUnitXML {
  let name: String
  let suites: [(name: String, cases: [Case])]

  /// A case with its result: a violation is a failure, an unknown result is an error.
  struct Case {
    let name: String
    let outcome: Outcome
  }

  enum Outcome {
    case passed
    case failure(String)
    case error(String)
  }

  var text: String {
    let suites = suites.map { suite in
      let cases = suite.cases.map { Self.line($0, of: suite.name) }.joined()
      return
        "  <testsuite name=\(Self.quoted(suite.name))\(Self.counts(suite.cases))>\n\(cases)  </testsuite>\n"
    }
    let all = self.suites.flatMap(\.cases)
    return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
      + "<testsuites name=\(Self.quoted(name))\(Self.counts(all))>\n\(suites.joined())</testsuites>\n"
  }

  private static func line(_ testCase: Case, of suite: String) -> String {
    let head = "    <testcase classname=\(quoted(suite)) name=\(quoted(testCase.name))"
    switch testCase.outcome {
    case .passed: return head + "/>\n"
    case .failure(let text): return head + "><failure message=\(quoted(text))/></testcase>\n"
    case .error(let text): return head + "><error message=\(quoted(text))/></testcase>\n"
    }
  }

  private static func counts(_ cases: [Case]) -> String {
    let failures = cases.count { if case .failure = $0.outcome { true } else { false } }
    let errors = cases.count { if case .error = $0.outcome { true } else { false } }
    return " tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
  }

  /// The value of an attribute in XML, which does not allow control characters.
  private static func quoted(_ text: String) -> String {
    "\"\(OutputContext.markup.escaped(text))\""
  }
}

/// An annotation that GitHub shows beside a build: a workflow command.
struct GitHubAnnotation {
  enum Level: String { case error, warning, notice }

  let level: Level
  let title: String
  let text: String

  init(_ level: Level, _ title: String, _ text: String) {
    (self.level, self.title, self.text) = (level, title, text)
  }

  /// The line with its line feed.
  var line: String {
    "::\(level.rawValue) title=\(OutputContext.annotationProperty.escaped(title))"
      + "::\(OutputContext.annotation.escaped(text))\n"
  }
}

/// A table in GitHub's format, of arbitrary texts.
enum EscapedTable {
  /// A line for each row, after the titles; the columns at the places in `left` are left-aligned, all others to the
  /// right.
  static func lines(_ titles: [String], _ rows: [[String]], left: Set<Int>) -> [String] {
    let rule = titles.indices.map { left.contains($0) ? "---" : "---:" }
    return ([titles, rule] + rows).map { cells in
      "| " + cells.map(\.markdown).joined(separator: " | ") + " |"
    }
  }
}
