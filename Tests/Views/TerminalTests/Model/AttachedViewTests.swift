import FrameBudget
import Testing

@testable import FrameBudgetTerminal

@Suite struct `The view of an attached page` {
  private func model() -> LiveModel {
    var model = LiveModel(
      LiveModel.Session(
        scenario: "http://localhost/", strategies: [], engines: [], refresh: RefreshRate(60),
        batch: 1, attached: .page))
    model.begin([RunModel(label: "page", refresh: RefreshRate(60))])
    var observation = RunObservation()
    observation.now = Instant.zero + .seconds(1)
    model.take(observation)
    return model
  }

  private func text(_ model: LiveModel, columns: Int = 80, rows: Int = 24) -> [String] {
    let screen = LiveView(model).screen(columns: columns, rows: rows)
    return (0..<rows).map { row in
      (0..<columns).map { String(screen[$0, row].character) }.joined()
    }
  }

  @Test func `is told from a recorded run`() {
    let lines = text(model())
    #expect(lines[0].contains("attached") && !lines[0].contains("recorded"), "\(lines[0])")
    #expect(lines[23].contains("a record 10 s, advise"), "\(lines[23])")
    #expect(!lines[23].contains("pause") && !lines[23].contains("strategies"), "\(lines[23])")
  }

  @Test func `records with a, and restarts with r`() {
    var model = model()
    #expect(model.handle(.character("a")) == .record)
    #expect(model.handle(.character("w")) == .save)
    #expect(model.handle(.character("r")) == .start([], RefreshRate(60), .virtual))
  }

  @Test(arguments: Array("5scd+-fe .n<>".unicodeScalars))
  func `changes nothing, and says so`(key: Unicode.Scalar) {
    var model = model()
    #expect(model.handle(.character(key)) == nil)
    #expect(model.notice == "an attached page runs by itself")
    #expect(!model.isPaused && model.speed == 1)
  }

  @Test(arguments: [(80, 24), (140, 45), (40, 12)])
  func `shows advice beside the chart, page by page, until it is closed`(
    columns: Int, rows: Int
  ) throws {
    var model = model()
    let advice = (1...40).map { "line \($0) of the advice" }
    model.show(advice)
    var seen: Set<String> = []
    for _ in 0..<40 {
      let lines = text(model, columns: columns, rows: rows)
      #expect(lines.contains { $0.hasPrefix("ADVICE") })
      #expect(lines[0].contains("page"))
      seen.formUnion(advice.filter { line in lines.contains { $0.hasPrefix("\(line) ") } })
      _ = model.handle(.tab)
    }
    #expect(seen == Set(advice))
    _ = model.handle(.escape)
    #expect(!text(model, columns: columns, rows: rows).contains { $0.hasPrefix("ADVICE") })
  }
}
