import FrameBudget
import FrameBudgetScenarios
import Testing

/// `ui.frame`, the parts of drawing.
@Suite struct `Parts of drawing in a scenario file` {
  private static let text = """
    scenario: parts
    display: {refresh: 60 Hz, render: 1 ms}
    duration: 1 s
    ui:
      frame:
        - {name: bind-rows, cpu: {recorded: frames.csv, column: bind_ms}}
        - {name: measure, cpu: {uniform: {from: 1 ms, to: 3 ms}}, unit: 0.5 ms}
    strategies: [main-thread]
    """

  private static let recorded = [4, 0, 8].map { TimeSpan.milliseconds($0) }

  private static func parts(_ change: String? = nil) throws -> [FramePart] {
    let overrides = try change.map { text throws(ScenarioError) in
      [try Override(parsing: text)]
    }
    return try ScenarioFile.parse(
      Array(text.utf8), file: "parts.yaml", overrides: overrides ?? []
    ) { (_, _) throws(ScenarioFile.RecordingError) in
      guard let durations = RecordedDurations(recorded) else {
        throw ScenarioFile.RecordingError("holds no durations")
      }
      return durations
    }.frameParts
  }

  @Test func `have names and costs, in the order of the file`() throws {
    let parts = try Self.parts()
    #expect(parts.map(\.name) == ["bind-rows", "measure"])
    #expect(parts.first?.cpu == RecordedDurations(Self.recorded).map { .recorded($0) })
    #expect(parts.last?.cpu == .uniform(from: .milliseconds(1), to: .milliseconds(3)))
    #expect(parts.map(\.unit) == [nil, .constant(.microseconds(500))])
  }

  @Test func `are found by name in a change`() throws {
    #expect(try Self.parts("ui.frame.measure.cpu=5 ms").last?.cpu == .constant(.milliseconds(5)))
  }

  @Test func `are scaled by a factor on all costs`() throws {
    let parts = try Self.parts("costs.all=2")
    #expect(parts.last?.cpu == .uniform(from: .milliseconds(2), to: .milliseconds(6)))
    #expect(parts.last?.unit == .constant(.milliseconds(1)))
    let doubled = Self.recorded.map { $0 * 2 }
    #expect(parts.first?.cpu == RecordedDurations(doubled).map { .recorded($0) })
  }
}
