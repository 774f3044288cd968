import Foundation
import FrameBudget
import FrameBudgetSimulation
import Testing

@testable import FrameBudgetReports

struct `The verdict in JSON` {
  private struct Document: Decodable {
    var schema: Int
    var verdict: Judgement
    var runs: [Run]

    struct Run: Decodable { var strategy: String }
    struct Judgement: Decodable {
      var sentences: [String]
      var subjects: [Subject]
    }
    struct Subject: Decodable {
      var engine: String
      var changes: String
      var cores: Int
      var today: Outcome
      var best: Outcome?
      var runner_up: Outcome?
      var worst: Outcome?
    }
    struct Outcome: Decodable {
      var strategy: String
      var is_smooth: Bool
      var dropped_by_app: Int
      var longest_hang_ms: Double
      var responses_late: Int
      var periods_later: Int
      var items_left: Int
      var price_ms: [String: Double]
    }
  }

  private func document(_ rows: [ReportRow]) throws -> Document {
    let text = RunJSON.printed(rows, Circumstances())
    return try JSONDecoder().decode(Document.self, from: Data(text.utf8))
  }

  @Test func `has the sentences of the table and names what is best, at which price`() throws {
    let rows = [HandMadeRun.mainThread.row(), HandMadeRun.schedulable.row()]
    let verdict = try document(rows).verdict
    let said = try #require(Verdict.all(rows).first)
    #expect(verdict.sentences == [said.headline] + said.answer)
    let subject = try #require(verdict.subjects.first)
    #expect(subject.engine == "real" && subject.cores == 2)
    #expect(subject.today.strategy == "main-thread")
    #expect(subject.today.dropped_by_app == 390)
    #expect(subject.today.longest_hang_ms == 6500)
    #expect(!subject.today.is_smooth)
    let best = try #require(subject.best)
    #expect(best.strategy == said.best?.label)
    #expect(best.is_smooth == (said.cheapest != nil))
    // With the digits that files have.
    let price = try #require(said.best?.price.total)
    #expect(abs(try #require(best.price_ms["total"]) - price) < 1e-5)
    #expect(best.price_ms.keys.sorted() == ["copying", "hand_off", "lock_wait", "total"])
    #expect(subject.worst?.strategy == said.worst?.label)
  }

  @Test func `has a subject for each value that was varied`() throws {
    let rows = ["path=1", "path=2"].map { HandMadeRun.mainThread.row(changes: $0) }
    let verdict = try document(rows).verdict
    #expect(verdict.subjects.map(\.changes) == ["path=1", "path=2"])
    #expect(verdict.sentences == ["path=1 to 2: main-thread is not smooth."])
    #expect(verdict.subjects.allSatisfy { $0.best == nil && $0.runner_up == nil })
  }

  @Test func `says by how many periods a strategy shows every frame later`() throws {
    var scenario = HandMadeRun.upload
    scenario.workloads = []
    let rows = [1, 0].map { periods in
      var arrangement = Arrangement.onMain(scenario)
      arrangement.presentsLater = periods
      let strategy = Strategy(name: "later-\(periods)", arrangement: arrangement)
      let log = VirtualEngine(detail: .frames).run(RunPlan(scenario, under: strategy))
      return ReportRow(log, changes: "", cores: 2, repetition: 1)
    }
    let subject = try #require(try document(rows).verdict.subjects.first)
    #expect(subject.today.is_smooth && subject.today.periods_later == 1)
    #expect(subject.best?.strategy == "later-0" && subject.best?.periods_later == 0)
  }

  @Test
  func `says in a word what became of the expectations, and in warnings what was not checked`() {
    let rows = [HandMadeRun.mainThread.row()]
    for result in [ExpectationResult.met, .missed, .unchecked] {
      #expect(
        RunJSON.printed(rows, Circumstances(), result)
          .contains("\"expectations\": \"\(result.rawValue)\""))
    }
    #expect(RunJSON.printed(rows, Circumstances()).contains("\"expectations\": null"))
    var circumstances = Circumstances()
    circumstances.uncheckedBounds = ["the bounds are not checked"]
    #expect(RunJSON.text(rows, circumstances).contains("\"the bounds are not checked\""))
  }

  @Test func `comes before the runs, and is not in the file`() throws {
    let rows = [HandMadeRun.mainThread.row()]
    #expect(try document(rows).runs.map(\.strategy) == ["main-thread"])
    #expect(
      RunJSON.printed(rows, Circumstances()).hasPrefix(
        "{\n  \"schema\": \(MetricCatalog.schema),\n  \"verdict\": {\n    \"sentences\": [\n"))
    #expect(!RunJSON.text(rows, Circumstances()).contains("\"verdict\""))
  }
}
