import Foundation
import FoundationXML
import Testing

@testable import FrameBudgetReports

struct `A comparison for systems that show a build's outcome` {
  private func comparison(strategy: String = "schedulable") -> ResultComparison {
    ResultComparison(
      base: results(
        ["frame_ms_p99": [20], "dropped_frames_pct": [0]], engine: "virtual", strategy: strategy),
      new: results(
        ["frame_ms_p99": [25], "dropped_frames_pct": [0]], engine: "virtual", strategy: strategy))
  }

  @Test func `is a test suite for each strategy in JUnit's XML`() {
    #expect(
      ComparisonExchange.junit(comparison()) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="framebudget compare" tests="2" failures="1" errors="0">
          <testsuite name="scenario · schedulable · virtual · 2 cores" tests="2" failures="1" errors="0">
            <testcase classname="scenario · schedulable · virtual · 2 cores" name="dropped_frames_pct"/>
            <testcase classname="scenario · schedulable · virtual · 2 cores" name="frame_ms_p99">\
        <failure message="frame_ms_p99 is worse: it went from 20 to 25 ms (+25 %)"/></testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func `is well-formed whatever the strategy is called`() throws {
    let text = ComparisonExchange.junit(comparison(strategy: "a\"b<c>&\u{1}\u{202E}"))
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse(), "\(text)")
  }

  @Test func `is an annotation for each metric that got worse, and one for all`() {
    #expect(
      ComparisonExchange.github(comparison()) == """
        ::error title=scenario · schedulable · virtual · 2 cores::frame_ms_p99 is worse: it went from 20 to 25 ms (+25 %25)
        ::notice title=framebudget::Regression: frame_ms_p99 went from 20 to 25 ms (+25 %25). \
        Gated metrics: 1 worse, 1 the same.

        """)
  }

  @Test func `cannot be broken by a name`() {
    let lines = ComparisonExchange.github(comparison(strategy: "a,b::c\nd")).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("::error title=scenario · a%2Cb%3A%3Ac"))
  }
}
