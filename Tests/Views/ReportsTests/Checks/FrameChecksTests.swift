import Foundation
import FoundationXML
import Testing

@testable import FrameBudgetReports

struct `Checks of tests that measure frames` {
  private static let met = FrameCheck(
    test: "add", name: "dropped_frames at most 0", value: "0", outcome: .met)
  private static let missed = FrameCheck(
    test: "add", name: "photos beside its baseline", value: "+31 %, +28 to +34 %",
    outcome: .missed, word: "slower")
  private static let unsure = FrameCheck(
    test: "tap", name: "late_responses at most 0", value: "0 to 2", outcome: .unsure,
    note: "nothing was seen | of it")

  @Test func `have the most severe outcome of them all`() {
    #expect(FrameChecks([Self.met]).outcome == .met)
    #expect(FrameChecks([Self.met, Self.unsure]).outcome == .unsure)
    #expect(FrameChecks([Self.unsure, Self.missed, Self.met]).outcome == .missed)
  }

  @Test func `are unsure if there are none`() {
    #expect(FrameChecks([]).outcome == .unsure)
    #expect(FrameChecks([]).sentence.hasPrefix("Unsure: no test asked"))
  }

  @Test func `are summarised in a sentence`() {
    #expect(FrameChecks([Self.met]).sentence == "Met: the one check of 1 test.")
    #expect(
      FrameChecks([Self.met, Self.missed, Self.unsure]).sentence
        == "Missed: photos beside its baseline of add (+31 %, +28 to +34 %). "
        + "Of 3 checks 1 is missed, 1 is unsure, 1 is met.")
    #expect(
      FrameChecks([Self.unsure]).sentence
        == "Unsure: the result is unknown for late_responses at most 0 of tap (0 to 2). "
        + "Of 1 check 1 is unsure.")
  }

  @Test func `follow the report of their test`() {
    let text = FrameChecks([Self.met, Self.missed, Self.unsure]).table([
      ("add", "add: 60 Hz"), ("tap", "tap: 60 Hz"), ("idle", "idle: 60 Hz"),
    ])
    #expect(
      text.hasSuffix(
        """
        add: 60 Hz
          check                       found                verdict
          dropped_frames at most 0    0                    met
          photos beside its baseline  +31 %, +28 to +34 %  slower

        tap: 60 Hz
          check                     found   verdict
          late_responses at most 0  0 to 2  unsure
          late_responses at most 0: nothing was seen | of it

        idle: 60 Hz

        """), "\(text)")
  }

  @Test func `are a table on GitHub that no name can break`() {
    let text = FrameChecks([Self.unsure]).markdown
    #expect(text.hasPrefix("**Unsure: "))
    #expect(text.contains("\n### tap\n\n| check | found | verdict |\n| --- | ---: | --- |\n"))
    #expect(text.contains("\n| late_responses at most 0 | 0 to 2 | unsure |\n"))
    #expect(text.contains("nothing was seen \\| of it"))
  }

  @Test func `are well-formed for JUnit, a failure or an error each`() {
    let text = FrameChecks([Self.met, Self.missed, Self.unsure]).junit
    #expect(XMLParser(data: Data(text.utf8)).parse(), "\(text)")
    #expect(text.contains(#"<testsuites name="frame-budget" tests="3" failures="1" errors="1">"#))
    #expect(text.contains(#"<testcase classname="add" name="dropped_frames at most 0"/>"#))
    #expect(text.contains(#"<failure message="photos beside its baseline is slower (+31 %"#))
  }

  @Test func `are annotations on GitHub, the outcome last`() {
    let lines = FrameChecks([Self.met, Self.missed, Self.unsure]).github.split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != " " } } == ["::error", "::warning", "::notice"])
    #expect(lines[0].hasSuffix("photos beside its baseline is slower (+31 %25, +28 to +34 %25)"))
  }

  @Test func `are objects for programs`() throws {
    let text = FrameChecks([Self.met, Self.unsure]).json
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["schema"] as? Int == 1)
    #expect((object["verdict"] as? [String: Any])?["outcome"] as? String == "unsure")
    let checks = try #require(object["checks"] as? [[String: Any]])
    #expect(checks.map { $0["verdict"] as? String } == ["met", "unsure"])
    #expect(checks[1]["note"] as? String == Self.unsure.note)
  }
}
