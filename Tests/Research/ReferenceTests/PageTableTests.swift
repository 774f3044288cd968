import Foundation
import FrameBudget
import FrameBudgetScenarios
import TestSupport
import Testing

@testable import FrameBudgetReference

/// Figures of a page, and the words about predictions.
struct PageTableTests {
  private func line(
    _ variant: String, recorded: [Int], predicted: [Int], answers: ([Double], [Double]) = ([], [])
  ) throws -> [PageOutcome] {
    let kinds: [(PageOutcome.Kind, [Int], [Double])] = [
      (.recorded, recorded, answers.0), (.predicted, predicted, answers.1),
    ]
    return try kinds.flatMap { kind, drops, answers in
      try drops.enumerated().map { place, dropped in
        PageOutcome(
          page: "photos", variant: variant, placement: try PagePlacement(query: ""), kind: kind,
          run: place + 1,
          figures: PageFigures(
            wanted: 1000, dropped: dropped, lateBegins: 0,
            answer: place < answers.count ? answers[place] : nil))
      }
    }
  }

  @Test(arguments: [
    // 2 points are 20 of 1000 vsyncs.
    ([30, 40, 50], [60, 60, 60], "holds"),
    ([30, 40, 50], [61, 61, 61], "off: dropped by 2.1 points"),
    ([60, 70, 80], [49, 49, 49], "off: dropped by -2.1 points"),
    // A fifth of the measured value.
    ([200, 200, 200], [240], "holds"), ([200, 200, 200], [241], "off: dropped by 4.1 points"),
    // Far from the median, and within the recorded range.
    ([100, 110, 200], [199, 199, 199], "holds"), ([100], [], "not known"), ([], [100], "not known"),
  ])
  func `a prediction holds within 2 points or a fifth, or within what was recorded`(
    _ recorded: [Int], _ predicted: [Int], _ verdict: String
  ) throws {
    let table = PageTable(try line("a", recorded: recorded, predicted: predicted))
    #expect(table.lines.map(\.verdict) == [verdict])
  }

  @Test(arguments: [
    (120.0, "holds"), (121, "off: answers by 21 ms"), (79, "off: answers by -21 ms"),
  ])
  func `answers may differ by a fifth`(_ predicted: Double, _ verdict: String) throws {
    let rows = try line("a", recorded: [0], predicted: [0], answers: ([100], [predicted]))
    #expect(PageTable(rows).lines[0].verdict == verdict)
  }

  @Test func `a page with Workers is replayed, and predicted from the variant before`() throws {
    func rows(_ variant: String, _ kind: PageOutcome.Kind, _ answer: Double) throws -> PageOutcome {
      PageOutcome(
        page: "photos", variant: variant, placement: try PagePlacement(query: "hash=a"), kind: kind,
        run: 1, figures: PageFigures(wanted: 1000, dropped: 30, lateBegins: 0, answer: answer))
    }
    let table = try PageWorkersTable([
      rows("main", .recorded, 100), rows("main", .predicted, 100),
      rows("one", .recorded, 100), rows("one", .replayed, 85),
      rows("two", .recorded, 100), rows("two", .replayed, 79), rows("two", .continued, 121),
    ]).markdown
    #expect(!table.contains("| main |"))
    #expect(table.contains("| photos | one | 100 | 85 |  | 3 | 3 |  |  |"), "\(table)")
    #expect(
      table.contains("| replayed by -21 ms; from the variant before by 21 ms |"), "\(table)")
    #expect(
      table.contains(
        "Answers are replayed in 1 of 2, and predicted from the variant before in 0 of 1; dropped frames in 2 of 2 and 1 of 1."
      ), "\(table)")
    #expect(PageWorkersTable([]).markdown.isEmpty)
  }

  @Test(arguments: [
    ("hash=a", "hash=a&thumbnail=b", ["thumbnail"]), ("hash=a", "hash=b&thumbnail=a", nil),
    ("", "hash=a", nil), ("hash=a", "hash=a", nil),
    ("hash=a", "hash=a&thumbnail=b&yield=channel", nil),
  ])
  func `a placement has services in Workers that another has not`(
    _ before: String, _ after: String, _ added: [String]?
  ) throws {
    let other = try PagePlacement(query: before)
    #expect(try PagePlacement(query: after).added(to: other) == added)
  }

  @Test func `each page has an order of its own`() throws {
    let rows =
      try line("main", recorded: [300], predicted: [310])
      + line("one", recorded: [100], predicted: [90]) + line("two", recorded: [0], predicted: [0])
    let others = rows.map {
      PageOutcome(
        page: "chat", variant: $0.variant, placement: $0.placement, kind: $0.kind, run: $0.run,
        figures: $0.kind == .predicted && $0.variant != "one"
          ? PageFigures(wanted: 1000, dropped: 310 - $0.figures.dropped, lateBegins: 0, answer: nil)
          : $0.figures)
    }
    let table = PageTable(rows + others)
    #expect(table.tau(of: "photos") == 1)
    #expect(table.tau(of: "chat") == -1)
    #expect(table.swapped.allSatisfy { $0.page == "chat" && $1.page == "chat" })
    #expect(
      table.markdown.contains("are predicted in 3 of 4, and answers in 0 of 0."),
      "\(table.markdown)")
    #expect(table.markdown.contains("photos 1, chat -1."))
  }

  @Test func `an order counts if the recordings determine it`() throws {
    let rows =
      try line("main", recorded: [300, 320], predicted: [310])
      + line("one", recorded: [100, 150], predicted: [90])
      + line("two", recorded: [140, 160], predicted: [80])
      + line("three", recorded: [0, 1], predicted: [85])
    let table = PageTable(rows)
    // One and two overlap; the advised arrangement is not a variant.
    #expect(table.swapped.map { [$0.variant, $1.variant] } == [["three", "two"]])
    #expect(table.markdown.contains("in another order than recorded: photos: three and two."))
    let others = PageTable(rows.filter { $0.variant != "three" })
    #expect(others.markdown.contains("in the recorded order"))
    #expect(
      others.markdown.contains("| photos | main |  | 31 (30 to 32) | 31 | none | none | holds |"))
  }

  @Test func `advice is met if every recording drops at most 1 % of its frames`() throws {
    let words = ["photos": "end tasks"]
    let good = try line(PageVariant.advised, recorded: [0, 10], predicted: [0])
    #expect(
      PageAdviceTable(good, words: words).markdown
        .contains("| photos | end tasks |  | 0 | 0, 1 | in all 2 |"))
    let bad = try line(PageVariant.advised, recorded: [0, 11], predicted: [0])
    #expect(PageAdviceTable(bad, words: words).markdown.contains("| in 1 of 2 |"))
    #expect(PageTable(good).markdown.isEmpty)
    let main = try line("main", recorded: [1], predicted: [1])
    #expect(PageAdviceTable(main, words: words).markdown.isEmpty)
  }

  @Test func `written rows read back unchanged`() throws {
    let scratch = try Scratch()
    let rows =
      try line("main", recorded: [300, 320], predicted: [310])
      + [
        PageOutcome(
          page: "chat", variant: "both",
          placement: try PagePlacement(query: "hash=a&yield=channel&every=5"), kind: .predicted,
          run: 3, figures: PageFigures(wanted: 3, dropped: 2, lateBegins: 1, answer: 12.5))
      ]
    try scratch.write(PageFile.text(rows), to: "runs.csv")
    #expect(try PageFile.rows(scratch.folder.appending(component: "runs.csv")) == rows)
    #expect(try PageFile.rows(scratch.folder.appending(component: "none.csv")).isEmpty)
  }
}

/// The placement of the page's services, in its address and in a scenario.
struct PagePlacementTests {
  private static let scenario = """
    scenario: page
    duration: 1 s
    display: {refresh: 60 Hz, main-loop: events}
    services: {hash: {}, catalogue: {}, thumbnail: {}, other: {}}
    ui: {frame: [{name: bind, cpu: 4 ms, ahead: 3}]}
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
    "hash=a&yield=scheduler", "yield=channel&every=5", "bind=a", "bind=b&hash=a", "frame=idle",
    "hash=a&frame=spread&yield=channel", "frame=cached", "frame=idle&ahead=1", "bind=a&ahead=2",
  ])
  func `an address and a strategy convert into each other`(_ query: String) throws {
    let placement = try PagePlacement(query: query)
    #expect(placement.query == query)
    let services = ["hash", "catalogue", "thumbnail", PagePlacement.part]
    let scenario = try scenario(adding: placement.strategy(named: "page", of: services))
    let strategy = try #require(scenario.strategies.last)
    #expect(strategy.name == "page")
    #expect(try PagePlacement(strategy.arrangement, of: scenario) == placement)
  }

  @Test func `services that were not learned stay in their places`() throws {
    let placement = try PagePlacement(query: "hash=a&thumbnail=b&yield=channel")
    let scenario = try scenario(adding: placement.strategy(named: "page", of: ["thumbnail"]))
    let strategy = try #require(scenario.strategies.last)
    #expect(
      try PagePlacement(strategy.arrangement, of: scenario).query == "thumbnail=b&yield=channel")
  }

  @Test(arguments: [
    "draw=a", "yield=timeout", "hash", "every=x&yield=channel", "frame=early", "ahead=4",
  ])
  func `an address that the page does not know is refused`(_ query: String) {
    #expect(throws: PagePlacement.Unknown.self) { try PagePlacement(query: query) }
  }

  @Test(arguments: [
    "  - as: x\n    lanes: {a: {}}\n    services: {other: a}\n",
    "  - as: x\n    lanes: {a: {nice: 10}}\n    services: {hash: a}\n",
    "  - as: x\n    locks: {l: {}}\n    services: {hash: {lock: l}}\n",
    "  - as: x\n    present: {later: 1}\n",
    "  - as: x\n    frame: {bind: {spread: {budget: 2 ms}}}\n",
    "  - as: x\n    frame: {bind: {prefetch: {frames: 1, estimate: exact}}}\n",
    "  - as: x\n    lanes: {a: {}}\n    frame: {bind: {prepare: {lane: a, frames: 0}}}\n",
  ])
  func `arrangements that the page cannot run are refused`(_ strategy: String) throws {
    let scenario = try scenario(adding: strategy)
    let arrangement = try #require(scenario.strategies.last).arrangement
    #expect(throws: PagePlacement.Unknown.self) { try PagePlacement(arrangement, of: scenario) }
  }

  @Test func `an arrangement that starts only the newest items is refused`() throws {
    let scenario = try scenario(adding: "")
    var arrangement = Arrangement.onMain(scenario)
    arrangement.newest = .latest
    #expect(throws: PagePlacement.Unknown.self) { try PagePlacement(arrangement, of: scenario) }
  }

  @Test func `the variants that are recorded begin with everything on the main thread`() throws {
    let pages = PageVariant.byPage(try PageVariant.all(in: Project.folder))
    #expect(pages.map(\.page) == ["photos", "editor", "chat", "game", "dashboard", "rows", "map"])
    for (page, variants) in pages {
      #expect(variants.first?.placement.query == "", "\(page)")
      #expect(Set(variants.map(\.name)).count == variants.count && variants.count >= 4, "\(page)")
      let file = Project.folder.appending(components: "benchmarks", "browser", "\(page).html")
      let text = try String(contentsOf: file, encoding: .utf8)
      for service in variants.flatMap({ $0.placement.workers.map(\.service) }) {
        #expect(text.contains("  \(service)(rounds) {"), "\(page) has no \(service)")
      }
    }
  }
}

/// A folder of recordings.
struct PageSeriesTests {
  @Test func `is learned from its first variant, and from no other`() throws {
    let scratch = try Scratch()
    for name in ["main-1", "main-2", "worker-1", "yielding-1"] {
      try scratch.write(PageTrace.text, to: "photos-\(name).json.gz")
      try scratch.write("33.5\n", to: "photos-\(name).answers")
    }
    let variants = try [("main", ""), ("worker", "hash=a"), ("yielding", "yield=channel")].map {
      PageVariant(page: "photos", name: $0, placement: try PagePlacement(query: $1))
    }
    let series = try PageSeries(scratch.folder, "photos", variants)
    let lines = PageTable(series.rows).lines
    // Of 140 frames each one that waited for three blocks is dropped. With the blocks elsewhere, or in turns of their own, none
    // is.
    #expect(lines.prefix(3).map { $0.recorded.map(\.dropped) } == [[20, 20], [20], [20]])
    #expect(lines.prefix(3).map { $0.predicted.map(\.dropped) } == [[20, 20], [0, 0], [0, 0]])
    #expect(lines[0].recorded.map(\.answer) == [33.5, 33.5])
    // A task of 31 ms that arrives when nothing else runs. With its blocks in turns of their own, a frame comes first.
    #expect(lines[0].predicted.allSatisfy { (30.0...36.0).contains($0.answer ?? 0) })
    #expect(lines[1...].flatMap { $0.predicted.map(\.wanted) }.allSatisfy { $0 == 140 })
    let advice = try #require(series.advice)
    #expect(advice.placement?.query == "yield=channel", "\(advice)")
    #expect(!advice.words.isEmpty)
    #expect(lines.last?.variant == PageVariant.advised)
  }

  @Test func `without a recording to learn from is refused`() throws {
    let scratch = try Scratch()
    let variants = [
      PageVariant(page: "photos", name: "main", placement: try PagePlacement(query: ""))
    ]
    #expect(throws: PageSeries.NoRecording.self) {
      try PageSeries(scratch.folder, "photos", variants)
    }
  }
}
