import Foundation
import FrameBudget
import Scenarios
import ShippedScenarios
import TestSupport
import Testing

@testable import Reference

/// Figures of a page, and what is said of predictions.
struct PageTableTests {
  private func line(
    _ variant: String, recorded: [Int], predicted: [Int], late: ([Int], [Int]) = ([0], [0])
  ) throws -> [PageOutcome] {
    let kinds: [(PageOutcome.Kind, [Int], [Int])] = [
      (.recorded, recorded, late.0), (.predicted, predicted, late.1),
    ]
    return try kinds.flatMap { kind, drops, lates in
      try drops.enumerated().map { place, dropped in
        PageOutcome(
          variant: variant, placement: try PagePlacement(query: ""), kind: kind, run: place + 1,
          figures: PageFigures(
            wanted: 1000, dropped: dropped, lateBegins: lates[min(place, lates.count - 1)]))
      }
    }
  }

  @Test(arguments: [
    // 3 points are 30 of 1000 vsyncs.
    ([100, 110, 120], [140, 140, 140], "holds"),
    ([100, 110, 120], [141, 141, 141], "off: dropped by 3.1 points"),
    ([100, 110, 120], [79, 79, 79], "off: dropped by -3.1 points"),
    // Far from the middle one, and within what was recorded.
    ([100, 110, 200], [199, 199, 199], "holds"), ([100], [], "not known"), ([], [100], "not known"),
  ])
  func `a prediction holds within 3 points, or within what was recorded`(
    _ recorded: [Int], _ predicted: [Int], _ verdict: String
  ) throws {
    let table = PageTable(try line("a", recorded: recorded, predicted: predicted))
    #expect(table.lines.map(\.verdict) == [verdict])
  }

  @Test func `frames that begin late are held against the recordings, too`() throws {
    let rows = try line("a", recorded: [0], predicted: [0], late: ([50], [0]))
    #expect(PageTable(rows).lines[0].verdict == "off: began late by -5 points")
  }

  @Test func `an order counts where the recordings say which it is`() throws {
    let rows =
      try line("main", recorded: [300, 320], predicted: [310])
      + line("one", recorded: [100, 150], predicted: [90])
      + line("two", recorded: [140, 160], predicted: [80])
      + line("three", recorded: [0, 1], predicted: [85])
    let table = PageTable(rows)
    // One and two overlap; what is advised is no variant.
    #expect(table.swapped.map { [$0.variant, $1.variant] } == [["three", "two"]])
    #expect(table.markdown.contains("in another order than recorded: three and two."))
    let others = PageTable(rows.filter { $0.variant != "three" })
    #expect(others.markdown.contains("in the recorded order"))
    #expect(others.markdown.contains("| main |  | 31 (30 to 32) | 31 | 0 (0 to 0) | 0 | holds |"))
  }

  @Test func `what is advised is met where every recording drops at most one in a hundred`() throws
  {
    let good = try line(PageVariant.advised, recorded: [0, 10], predicted: [0])
    let table = try #require(PageAdviceTable(good, words: "end tasks"))
    #expect(table.markdown.contains("| end tasks |  | 0 | 0, 1 | in all 2 |"))
    let bad = try line(PageVariant.advised, recorded: [0, 11], predicted: [0])
    #expect(try #require(PageAdviceTable(bad, words: "")).markdown.contains("| in 1 of 2 |"))
    #expect(PageTable(good).markdown.isEmpty)
    #expect(PageAdviceTable(try line("main", recorded: [1], predicted: [1]), words: "") == nil)
  }

  @Test func `rows are read as they were written`() throws {
    let scratch = try Scratch()
    let rows =
      try line("main", recorded: [300, 320], predicted: [310])
      + [
        PageOutcome(
          variant: "both", placement: try PagePlacement(query: "hash=a&yield=channel&every=5"),
          kind: .predicted, run: 3, figures: PageFigures(wanted: 3, dropped: 2, lateBegins: 1))
      ]
    try scratch.write(PageFile.text(rows), to: "runs.csv")
    #expect(try PageFile.rows(scratch.folder.appending(component: "runs.csv")) == rows)
    #expect(try PageFile.rows(scratch.folder.appending(component: "none.csv")).isEmpty)
  }
}

/// Where the page has its services, in its address and in a scenario.
struct PagePlacementTests {
  private static let scenario = """
    scenario: page
    duration: 1 s
    display: {refresh: 60 Hz, main-loop: events}
    services: {hash: {}, catalogue: {}, thumbnail: {}, other: {}}
    workloads:
      - name: import
        arrival: {once: 1}
        steps: [{service: other, cpu: 1 ms}, {service: hash, cpu: 1 ms}, {service: thumbnail, cpu: 1 ms}, {service: catalogue, cpu: 1 ms}]
    strategies:
      - main-thread

    """

  private func scenario(adding text: String) throws -> Scenario {
    try ScenarioFile.parse(Array((Self.scenario + text).utf8), file: "page.yaml")
  }

  @Test(arguments: [
    "", "hash=a", "hash=a&thumbnail=b", "catalogue=c&hash=a&thumbnail=a", "yield=channel",
    "hash=a&yield=scheduler", "yield=channel&every=5",
  ])
  func `an address and a strategy say the same`(_ query: String) throws {
    let placement = try PagePlacement(query: query)
    #expect(placement.query == query)
    let scenario = try scenario(adding: placement.strategy(named: "page"))
    let strategy = try #require(scenario.strategies.last)
    #expect(strategy.name == "page")
    #expect(try PagePlacement(strategy.arrangement, of: scenario) == placement)
  }

  @Test(arguments: ["draw=a", "yield=timeout", "hash", "every=x&yield=channel"])
  func `an address that the page does not know is refused`(_ query: String) {
    #expect(throws: PagePlacement.Unknown.self) { try PagePlacement(query: query) }
  }

  @Test(arguments: [
    "  - as: x\n    lanes: {a: {}}\n    services: {other: a}\n",
    "  - as: x\n    lanes: {a: {nice: 10}}\n    services: {hash: a}\n",
    "  - as: x\n    locks: {l: {}}\n    services: {hash: {lock: l}}\n",
  ])
  func `what no page can do is refused`(_ strategy: String) throws {
    let scenario = try scenario(adding: strategy)
    let arrangement = try #require(scenario.strategies.last).arrangement
    #expect(throws: PagePlacement.Unknown.self) { try PagePlacement(arrangement, of: scenario) }
  }

  @Test func `the variants that are recorded begin with everything on the main thread`() throws {
    let variants = try PageVariant.all(in: Project.folder)
    #expect(
      variants.map(\.name) == ["main", "one-worker", "two-workers", "three-workers", "yielding"])
    #expect(variants.map { Set($0.placement.workers.map(\.worker)).count } == [0, 1, 2, 3, 0])
    #expect(variants.map { $0.placement.yielding != nil } == [false, false, false, false, true])
  }
}

/// A folder of recordings.
struct PageSeriesTests {
  @Test func `is learned from its first variant, and from no other`() throws {
    let scratch = try Scratch()
    for name in ["main-1", "main-2", "worker-1", "yielding-1"] {
      try scratch.write(PageTrace.text, to: "\(name).json.gz")
    }
    let variants = try [("main", ""), ("worker", "hash=a"), ("yielding", "yield=channel")].map {
      PageVariant(name: $0, placement: try PagePlacement(query: $1))
    }
    let series = try PageSeries(scratch.folder, variants)
    let lines = PageTable(series.rows).lines
    // Of 140 frames each one that waited for three blocks is dropped: with the blocks elsewhere, or a turn between them, none.
    #expect(lines.prefix(3).map { $0.recorded.map(\.dropped) } == [[20, 20], [20], [20]])
    #expect(lines.prefix(3).map { $0.predicted.map(\.dropped) } == [[20, 20], [0, 0], [0, 0]])
    #expect(lines[1...].flatMap { $0.predicted.map(\.wanted) }.allSatisfy { $0 == 140 })
    let advice = try #require(series.advice)
    #expect(advice.placement?.query == "yield=channel", "\(advice)")
    #expect(!advice.words.isEmpty)
    #expect(lines.last?.variant == PageVariant.advised)
  }

  @Test func `without a recording to learn from is refused`() throws {
    let scratch = try Scratch()
    let variants = [PageVariant(name: "main", placement: try PagePlacement(query: ""))]
    #expect(throws: PageSeries.NoRecording.self) {
      try PageSeries(scratch.folder, variants)
    }
  }
}
