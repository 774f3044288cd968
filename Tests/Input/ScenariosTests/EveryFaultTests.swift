import FrameBudget
import Testing

@testable import FrameBudgetScenarios

/// All faults of a file are reported at once, in the file's order, without consequences of other faults.
struct EveryFaultTests {
  private static let text = """
    scenario: whole
    display: {refresh: 60 Hz, render: 10 ms, main-loop: events}
    duration: 10 s
    warmup: 300 ms
    machine: {cores: 2}
    services:
      gallery: {}
      catalogue: {state: 100 records}
    workloads:
      - name: add
        arrival: {once: 10, start: 1 s}
        steps:
          - {name: read, service: gallery, cpu: 1 ms}
          - {name: insert, service: catalogue, cpu: 1 ms}
      - name: tap
        arrival: {every: 1 s}
        priority: user
        steps: [{service: catalogue, cpu: 0.1 ms}]
        respond_within: 100 ms
    ui: {reads: [{service: catalogue, cpu: 20 us}]}
    strategies:
      - main-thread
      - throttled: {batch: 5}
      - yielding
      - as: mine
        lanes: {apart: {carrier: scheduler}}
        services: {gallery: apart, catalogue: apart}
    expect:
      virtual:
        main-thread: {dropped_frames: {max: 1}}
        mine: {items_pending: {max: 0}}

    """

  /// A mistake: the correct text, and the text of the user.
  private static let mistakes = [
    ("refresh: 60 Hz", "refresh: 60 kHz"), ("render: 10 ms", "render: {nomral: 1 ms}"),
    ("main-loop: events", "main-loop: event"),
    ("duration: 10 s", "duration: ten"), ("cores: 2", "cores: 0"), ("warmup: 300", "warmpu: 300"),
    ("state: 100 records", "state: 100"), ("once: 10,", "once: -1,"),
    ("{name: read, service: gallery", "{name: read, service: galery"),
    ("cpu: 1 ms}\n      - {name: insert", "cpu: 1 sm}\n      - {name: insert"),
    ("priority: user", "priority: users"), ("respond_within: 100 ms", "respond_within: 0 ms"),
    ("reads: [{service: catalogue", "reads: [{service: catalog"), ("- main-thread", "- man-thread"),
    ("batch: 5}", "batch: 0}"), ("carrier: scheduler", "carrier: schedule"),
    ("catalogue: apart", "catalogue: apar"),
    ("dropped_frames: {max: 1}", "droped_frames: {max: 1}"),
    ("items_pending: {max: 0}", "items_pending: {maximum: 0}"),
  ]

  private static func faults(_ text: String) -> [ScenarioError.Fault] {
    do {
      _ = try ScenarioFile.parse(Array(text.utf8), file: "whole.yaml")
      return []
    } catch {
      return error.faults
    }
  }

  @Test func `the text without mistakes has no fault`() {
    #expect(Self.faults(Self.text) == [])
  }

  @Test(arguments: mistakes.indices)
  func `a mistake is one fault, and beside another one both are found`(first: Int) {
    let mistake = Self.mistakes[first]
    let text = Self.text.replacing(mistake.0, with: mistake.1)
    let alone = Self.faults(text)
    #expect(alone.count == 1, "\(mistake.1): \(alone.map(\.description))")
    for second in Self.mistakes.indices where second != first {
      let other = Self.mistakes[second]
      let both = text.replacing(other.0, with: other.1)
      // The line shown for a fault may contain the other mistake, too.
      let expected = Set(
        (alone + Self.faults(Self.text.replacing(other.0, with: other.1))).map(\.message))
      let found = Self.faults(both)
      #expect(Set(found.map(\.message)) == expected, "\(mistake.1) beside \(other.1)")
      #expect(found.count == expected.count)
    }
  }

  @Test func `all errors are reported in the order of the file`() {
    var text = Self.text
    for mistake in Self.mistakes { text = text.replacing(mistake.0, with: mistake.1) }
    let faults = Self.faults(text)
    #expect(faults.count == Self.mistakes.count)
    let lines = faults.compactMap { fault -> Int? in
      guard case .file(_, let line, _, _) = fault.location else { return nil }
      return line
    }
    #expect(lines == lines.sorted())
  }

  @Test(arguments: ["services", "workloads", "lanes", "strategies"])
  func `a misspelt key causes no errors in references to its contents`(key: String) {
    let faults = Self.faults(Self.text.replacing("\(key):", with: "x\(key):", maxReplacements: 1))
    #expect(faults.count == 1, "\(faults.map(\.description))")
    #expect(faults.first?.message.contains("did you mean '\(key)'?") == true)
  }

  @Test func `of very many errors the first are shown and the others counted`() {
    let more = (1...100).map { "s\($0): 1\n" }.joined()
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioFile.parse(Array((Self.text + more).utf8), file: "whole.yaml")
    }
    #expect(error?.faults.count == Limits.shownFaults)
    #expect(error?.omitted == 100 - Limits.shownFaults)
    #expect(error?.description.hasSuffix("\nand 80 more") == true)
  }

  @Test func `a fault of the file makes it bad input even beside one of a flag`() throws {
    let override = try Override(parsing: "duration=2 weeks")
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioFile.parse(
        Array(Self.text.replacing("cores: 2", with: "cores: 0").utf8), file: "whole.yaml",
        overrides: [override])
    }
    #expect(error?.faults.count == 2)
    #expect(error?.faults.last?.location == .flag("--set duration=2 weeks"))
  }
}
