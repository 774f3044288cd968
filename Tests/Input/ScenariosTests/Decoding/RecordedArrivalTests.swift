import FrameBudget
import FrameBudgetScenarios
import Testing

struct RecordedArrivalTests {
  private static let yaml = """
    scenario: recorded
    display: {refresh: 60 Hz}
    duration: 1 s
    services: {s: {}}
    workloads:
      - name: tasks
        arrival: {recorded: items.csv, column: arrival_ms}
        steps:
          - service: s
            cpu: {recorded: items.csv, column: s_cpu_ms}
            wait: {recorded: items.csv, column: s_wait_ms}
    """

  @Test func `arrivals, costs and waits are read from the columns of a file`() throws {
    let columns: [String: [TimeSpan]] = [
      "arrival_ms": [.milliseconds(20), .milliseconds(40)],
      "s_cpu_ms": [.milliseconds(1), .milliseconds(2)],
      "s_wait_ms": [.milliseconds(3), .zero],
    ]
    let scenario = try ScenarioFile.parse(Array(Self.yaml.utf8), file: "recorded.yaml") {
      (file, column) throws(ScenarioFile.RecordingError) in
      guard file == "items.csv", let durations = RecordedDurations(columns[column] ?? []) else {
        throw ScenarioFile.RecordingError("no such column")
      }
      return durations
    }
    let workload = scenario.workloads[0]
    #expect(workload.arrival == .recorded([.milliseconds(20), .milliseconds(40)]))
    let plan = RunPlan(
      scenario, under: Strategy(name: "main", arrangement: Arrangement.onMain(scenario)))
    let step = plan.workloads[0].steps[0]
    #expect((0..<3).map(step.cost) == [.milliseconds(1), .milliseconds(2), .milliseconds(1)])
    #expect((0..<3).map(step.wait) == [.milliseconds(3), .zero, .milliseconds(3)])
  }
}
