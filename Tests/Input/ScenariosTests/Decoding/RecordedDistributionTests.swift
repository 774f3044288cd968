import FrameBudget
import FrameBudgetScenarios
import Testing

struct RecordedDistributionTests {
  static let text = Minimal.text.replacing(
    "display: {refresh: 60 Hz}",
    with: "display: {refresh: 60 Hz, render: {recorded: log.csv, column: frame_ms}}")

  @Test func `a recorded distribution is read from the column of the file that is named`() throws {
    let durations = try #require(RecordedDurations([.milliseconds(8), .milliseconds(40)]))
    let scenario = try ScenarioFile.parse(Array(Self.text.utf8), file: "a.yaml") { file, column in
      #expect([file, column] == ["log.csv", "frame_ms"])
      return durations
    }
    #expect(scenario.display.render == .recorded(durations))
  }

  @Test func `errors of the file are reported at its name`() {
    #expect {
      try ScenarioFile.parse(Array(Self.text.utf8), file: "a.yaml") {
        (file, _) throws(ScenarioFile.RecordingError) in
        throw ScenarioFile.RecordingError("\(file): cannot be opened")
      }
    } throws: { "\($0)".hasPrefix("a.yaml:2:36: log.csv: cannot be opened\n") }
  }
}
