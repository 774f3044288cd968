import FrameBudget
import Testing

@testable import FrameBudgetReports

struct `The answer of a sweep` {
  /// Four strategies in a grid of two settings: `main-thread` is never smooth, `locks` with two cores, `sliced` for small loads.
  private func verdicts(_ loads: [Int] = [10, 200], _ cores: [Int] = [1, 2, 4]) -> [Verdict] {
    Verdict.all(
      loads.flatMap { load in
        cores.flatMap { cores in
          let changes = "workloads.add-file.arrival.once=\(load);machine.cores=\(cores)"
          return [
            ("main-thread", false), ("sliced", load < 100), ("locks", cores > 1),
          ].map { label, isSmooth in
            OutcomeRow(
              label: label, engine: .virtual, changes: changes,
              drops: isSmooth ? [:] : [.logic: 9])
          }
        }
      })
  }

  @Test func `says in how many places which strategy is smooth, and where none is`() throws {
    let answer = try #require(SweepAnswer(verdicts()))
    #expect(
      answer.sentences == [
        "No strategy is smooth at all 6 combinations of add-file arrival once and cores: locks at 4 and sliced at 3.",
        "Lowest price: sliced at 3 and locks at 2.", "Today's main-thread is smooth at none.",
        "None is smooth at 1: (add-file arrival once 200, cores 1).",
      ])
  }

  @Test func `names the strategies that are smooth everywhere`() throws {
    let answer = try #require(SweepAnswer(verdicts([10, 20])))
    #expect(
      answer.sentences == [
        "sliced is smooth at all 6 combinations of add-file arrival once and cores.",
        "Lowest price: sliced everywhere.", "Today's main-thread is smooth at none.",
      ])
  }

  @Test func `is on the map what the verdict at each place is`() throws {
    let all = verdicts()
    let answer = try #require(SweepAnswer(all))
    let html = SweepMap(answer: answer).markup("").html
    let cells = html.matches(of: /<td class="[a-z0-9]+" title="([^"]+): ([a-z-]+)"/).map {
      (String($0.1), String($0.2))
    }
    #expect(cells.count == all.count)
    for (verdict, place) in zip(all, answer.places) {
      let drawn = cells.first { $0.0 == answer.words(place) }
      #expect(drawn?.1 == verdict.cheapest?.label ?? "none")
    }
    // The largest value of the first setting is on top, as in maps of metrics.
    #expect(cells.first?.0 == "add-file arrival once 200, cores 1")
    #expect(html.matches(of: /<th scope="row">(\d+)</).map { String($0.1) } == ["200", "10"])
  }

  @Test func `merges neighbours of a large map, without losing a place`() throws {
    let answer = try #require(SweepAnswer(verdicts(Array(50...150), Array(1...40))))
    let html = SweepMap(answer: answer).markup("").html
    let widths = html.matches(of: /<td class="[a-z0-9]+"(?: colspan="(\d+)")?/).map {
      $0.1.flatMap { Int($0) } ?? 1
    }
    #expect(widths.reduce(0, +) == 101 * 40)
    #expect(widths.count == 50 + 51 * 2)
    #expect(html.utf8.count < 100_000)
  }

  @Test func `is not of verdicts without a varied value, or of one strategy`() {
    #expect(SweepAnswer(Verdict.all([OutcomeRow(engine: .virtual)])) == nil)
    let alone = [1, 2].map { OutcomeRow(engine: .virtual, changes: "x=\($0)") }
    #expect(SweepAnswer(Verdict.all(alone)) == nil)
  }

  @Test(arguments: [
    (["8 ms", "16 ms", "4 ms"], ["4 ms", "8 ms", "16 ms"]),
    (["8 ms", "1 s"], ["8 ms", "1 s"]), (["often", "never"], ["often", "never"]),
  ])
  func `has values in ascending order if they are numbers with one unit`(
    _ values: [String], _ expected: [String]
  ) throws {
    let rows = values.flatMap { value in
      ["main-thread", "locks"].map {
        OutcomeRow(label: $0, engine: .virtual, changes: "display.render=\(value)")
      }
    }
    let answer = try #require(SweepAnswer(Verdict.all(rows)))
    #expect(answer.settings.map(\.name) == ["render"])
    #expect(answer.settings[0].values == expected)
  }

  @Test func `keeps paths whole where two would have the same words`() {
    let paths = ["workloads.a.respond_within", "services.a.respond_within"]
    #expect(ChangedValues.words(paths) == paths)
    #expect(ChangedValues("machine.cores=2;display.render=4 ms").words == "cores 2, render 4 ms")
  }

  @Test func `says that costs are costs`() {
    #expect(
      ChangedValues.words(["workloads.import.arrival.once", "costs.all", "costs.hasher"])
        == ["import arrival once", "all costs", "hasher costs"])
  }

  @Test func `is kept beside verdicts of another result, which are counted if they are too many`()
    throws
  {
    let plain = (1...14).map { OutcomeRow(origin: "r\($0)") }
    let rows = [1, 2].flatMap { load in
      ["main-thread", "locks"].map { OutcomeRow(label: $0, changes: "load=\(load)") }
    }
    let all = (rows + plain).map(\.row)
    let verdicts = Verdict.all(all)
    let (answers, others) = SweepAnswer.split(verdicts)
    #expect(answers.count == 1 && others.count == 14)
    let html = try ReportPage(title: "p", results: ResultSet(rows: all, metrics: [])).html()
    #expect(html.contains("main-thread and locks are smooth at all 2 values of load."))
    #expect(html.contains("<li>and 2 more</li>"))
  }

  @Test func `does not say that none is smooth where runs were stopped`() throws {
    let rows = [1, 2].flatMap { load in
      ["main-thread", "locks"].map { label in
        OutcomeRow(
          label: label, status: load == 2 ? .interrupted : .complete, changes: "load=\(load)",
          drops: load == 1 && label == "locks" ? [:] : [.logic: 3])
      }
    }
    let answer = try #require(SweepAnswer(Verdict.all(rows)))
    #expect(!answer.sentences.contains { $0.hasPrefix("None is smooth") })
    #expect(
      answer.sentences.last == "Runs at 1 were stopped or are invalid, and count as not smooth.")
  }

  /// `late` has the lower price. `locks` is smooth for some loads.
  private func later(_ smooth: [Int]) -> [Verdict] {
    Verdict.all(
      [1, 2].flatMap { load in
        [
          OutcomeRow(changes: "load=\(load)", drops: [.logic: 9]),
          OutcomeRow(
            label: "locks", changes: "load=\(load)",
            drops: smooth.contains(load) ? [:] : [.logic: 9], lockWait: 5),
          OutcomeRow(label: "late", changes: "load=\(load)", periodsLater: 1),
        ]
      })
  }

  @Test func `calls a price the lowest only if it is`() throws {
    let some = try #require(SweepAnswer(later([1])))
    #expect(some.sentences.contains("Best: locks at 1 and late at 1."), "\(some.sentences)")
    #expect(SweepMap(answer: some).markup("").html.contains("The best smooth strategy, over load"))
    let all = try #require(SweepAnswer(later([1, 2])))
    #expect(all.sentences.contains("Earliest frames: locks everywhere."), "\(all.sentences)")
    #expect(
      SweepMap(answer: all).markup("").html
        .contains("<caption>The smooth strategy with the earliest frames, over load</caption>"))
  }

  @Test func `says which strategies show frames later or incomplete, and in how many places`()
    throws
  {
    let rows = [1, 2].flatMap { load in
      [
        OutcomeRow(changes: "load=\(load)", drops: [.logic: 9]),
        OutcomeRow(label: "late", changes: "load=\(load)", periodsLater: 1),
        OutcomeRow(
          label: "spread", changes: "load=\(load)", incompleteFrames: load == 1 ? 0 : 30),
      ]
    }
    let answer = try #require(SweepAnswer(Verdict.all(rows)))
    #expect(
      answer.sentences[1...2] == [
        "Frames are shown incomplete by spread at 1 of these.",
        "Frames are shown later by late at 2 of these.",
      ])
  }
}
