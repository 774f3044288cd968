import FrameBudget
import Testing

@testable import FrameBudgetTerminal

@Suite struct `Keys` {
  private let sixty = RefreshRate(60)

  private func model(engines: [EngineKind] = [.real, .virtual]) -> LiveModel {
    var model = LiveModel(
      LiveModel.Session(
        scenario: "test", strategies: ["one", "two", "three", "four", "five"], engines: engines,
        refresh: sixty, batch: 1000))
    model.begin([RunModel(label: "two", refresh: sixty, engine: engines.first)], chosen: [1])
    return model
  }

  @Test func `digits run a strategy of the list`() {
    var model = model()
    #expect(model.handle(.character("3")) == .start([2], sixty, .real))
    #expect(model.handle(.character("9")) == nil)
    #expect(model.notice == "no strategy with that number; there are 5")
  }

  @Test func `d searches for advice, and adds the result to the list`() {
    var model = model()
    #expect(model.handle(.character("d")) == .advise)
    #expect(model.current == 1)
    #expect(model.appendStrategy("advised") == 5)
    #expect(model.handle(.character("6")) == .start([5], sixty, .real))
    model.chosen = [0, 3]
    model.selected = 1
    #expect(model.current == 3)
    var recorded = LiveModel(
      LiveModel.Session(scenario: "test", strategies: [], engines: [], refresh: sixty, batch: 1))
    #expect(recorded.handle(.character("d")) == nil)
    #expect(recorded.notice == "a recorded run cannot be changed")
  }

  @Test func `a recorded run refuses every key that changes the run, and shows no hint for them`() {
    let session = LiveModel.Session(
      scenario: "test", strategies: [], engines: [], refresh: sixty, batch: 1)
    let changing = KeyBinding.all.filter(\.changesRun)
    #expect(changing.count > 5)
    for key in changing.flatMap(\.keys) {
      var recorded = LiveModel(session)
      recorded.begin([RunModel(label: "file", refresh: sixty)])
      #expect(recorded.handle(key) == nil)
      #expect(recorded.notice == "a recorded run cannot be changed")
      let hints = KeyBinding.hints(recorded, pages: 1).map(\.keys)
      #expect(Set(hints).isDisjoint(with: changing.flatMap(\.hints).map(\.keys)))
    }
  }

  @Test func `of the bindings of one key at most one is without a condition, and it is the last`() {
    for key in Set(KeyBinding.all.flatMap(\.keys)) {
      let model = model()
      let bindings = KeyBinding.all.filter { $0.keys.contains(key) }
      #expect(bindings.dropLast().allSatisfy { !$0.applies(model) }, "\(key)")
    }
  }

  @Test func `any key takes a notice away`() {
    var model = model()
    model.note("saved")
    _ = model.handle(.character("+"))
    #expect(model.notice == nil)
  }

  @Test func `a adds a batch whose size plus and minus change within bounds`() {
    var model = model()
    #expect(model.handle(.character("a")) == .add(1000))
    _ = model.handle(.character("+"))
    #expect(model.handle(.character("a")) == .add(2000))
    for _ in 0..<20 { _ = model.handle(.character("-")) }
    #expect(model.handle(.character("a")) == .add(1))
    for _ in 0..<20 { _ = model.handle(.character("=")) }
    #expect(model.handle(.character("a")) == .add(10_000))
    #expect(model.panes[0].timeline.marks.map(\.text).suffix(2) == ["+1", "+10000"])
  }

  @Test func `f goes round 60, 90 and 120 Hz, from any rate`() {
    var model = model()
    #expect(model.handle(.character("f")) == .start([1], RefreshRate(90), .real))
    model.refresh = RefreshRate(120)
    #expect(model.handle(.character("f")) == .start([1], sixty, .real))
    model.refresh = RefreshRate(24)
    #expect(model.handle(.character("f")) == .start([1], sixty, .real))
    model.refresh = RefreshRate(144)
    #expect(model.handle(.character("f")) == .start([1], sixty, .real))
  }

  @Test func `e switches the engine, and back to a single strategy on the real one`() {
    var model = model()
    #expect(model.handle(.character("e")) == .start([1], sixty, .virtual))
    model.engine = .virtual
    model.chosen = [0, 3]
    #expect(model.handle(.character("e")) == .start([0], sixty, .real))
    var alone = self.model(engines: [.virtual])
    #expect(alone.handle(.character("e")) == nil)
    #expect(alone.notice == "there is no other engine")
  }

  @Test func `c compares with the recommended strategy, if it is known and none ran before`() {
    var model = model()
    #expect(model.handle(.character("c")) == .compare)
    #expect(model.comparison(of: 1) == [1, 2])
    model.recommended = 4
    #expect(model.handle(.character("c")) == .start([1, 4], sixty, .virtual))
    model.recommended = 1
    #expect(model.handle(.character("c")) == .start([1, 2], sixty, .virtual))
    model.previousStrategy = 0
    model.recommended = 4
    #expect(model.handle(.character("c")) == .start([0, 1], sixty, .virtual))
  }

  @Test func `r restarts what runs`() {
    var model = model()
    #expect(model.handle(.character("r")) == .start([1], sixty, .real))
  }

  @Test func `real time can neither be stopped nor stepped nor sped up, and says so`() {
    for key in " .<>n" {
      var model = model()
      #expect(model.handle(.character(key.unicodeScalars.first ?? " ")) == nil)
      #expect(model.notice?.contains("e switches to the virtual engine") == true)
      #expect(!model.isPaused && model.speed == 1)
    }
  }

  @Test func `virtual time stops, goes on, and takes single steps`() {
    var model = model(engines: [.virtual])
    _ = model.handle(.character(" "))
    #expect(model.isPaused)
    #expect(model.handle(.character(".")) == .step)
    #expect(model.isPaused)
    _ = model.handle(.character(" "))
    #expect(!model.isPaused)
    #expect(model.handle(.character("n")) == .step)
    #expect(model.isPaused)
  }

  @Test func `virtual time goes slower and faster within bounds`() {
    var model = model(engines: [.virtual])
    _ = model.handle(.character("<"))
    #expect(model.speed == 0.5)
    for _ in 0..<30 { _ = model.handle(.left) }
    #expect(model.speed == 0.01)
    for _ in 0..<30 { _ = model.handle(.right) }
    #expect(model.speed == 20)
  }

  @Test func `the list runs the strategy under the cursor`() {
    var model = model()
    _ = model.handle(.character("s"))
    _ = model.handle(.down)
    _ = model.handle(.down)
    _ = model.handle(.up)
    #expect(model.handle(.enter) == .start([2], sixty, .real))
    #expect(model.overlay == nil)
  }

  @Test func `the list runs what is ticked side by side, on the virtual engine, four at most`() {
    var model = model()
    _ = model.handle(.character("s"))
    for _ in 0..<5 { _ = model.handle(.up) }
    for _ in 0..<5 {
      _ = model.handle(.character(" "))
      _ = model.handle(.down)
    }
    #expect(model.handle(.enter) == .start([0, 1, 2, 3], sixty, .virtual))
  }

  @Test func `a tick can be taken back, and escape leaves the list as it was`() {
    var model = model()
    _ = model.handle(.character("s"))
    _ = model.handle(.character(" "))
    _ = model.handle(.character(" "))
    #expect(model.overlay == .strategies(cursor: 1, ticked: []))
    #expect(model.handle(.escape) == nil)
    #expect(model.overlay == nil)
  }

  @Test func `help opens, turns pages and closes; q quits from anywhere`() {
    var model = model()
    _ = model.handle(.character("?"))
    _ = model.handle(.tab)
    #expect(model.overlay == .help && model.helpPage == 1)
    #expect(model.handle(.character("1")) == nil)
    // The numbers behind it stay on their page, and help begins with its first.
    #expect(model.overlay == nil && model.page == 0)
    _ = model.handle(.tab)
    _ = model.handle(.character("?"))
    #expect(model.page == 1 && model.helpPage == 0)
    _ = model.handle(.escape)
    for opener in ["?", "s", "x"] as [Unicode.Scalar] {
      var model = self.model()
      _ = model.handle(.character(opener))
      #expect(model.handle(.character("q")) == .quit)
    }
  }

  @Test func `a recorded run can be played but not changed`() {
    var model = model(engines: [])
    for key in ["s", "a", "c", "f", "+", "-", "e", "1"] as [Unicode.Scalar] {
      #expect(model.handle(.character(key)) == nil)
      #expect(model.notice == "a recorded run cannot be changed")
    }
    #expect(model.handle(.character("r")) == .start([], sixty, .virtual))
    _ = model.handle(.character(" "))
    #expect(model.isPaused)
  }

  @Test func `c shows the previous strategy beside the current one, and hides it again`() {
    var model = model()
    #expect(model.handle(.character("c")) == .compare)
    #expect(model.notice == "strategies side by side run on the virtual engine")
    model.begin([RunModel(label: "four", refresh: sixty, engine: .real)], chosen: [3])
    #expect(model.handle(.character("c")) == .start([1, 3], sixty, .virtual))
    begin([1, 3], &model)
    #expect(model.selected == 1)
    #expect(model.handle(.character("e")) == .start([3], sixty, .real))
    #expect(model.handle(.character("c")) == .start([3], sixty, .real))
    model.begin([RunModel(label: "four", refresh: sixty, engine: .real)], chosen: [3])
    #expect(model.handle(.character("c")) == .start([1, 3], sixty, .virtual))
  }

  @Test func `digits and the list replace the selected one of several`() {
    var model = model()
    begin([1, 3], &model)
    #expect(model.handle(.character("5")) == .start([1, 4], sixty, .virtual))
    _ = model.handle(.up)
    _ = model.handle(.up)
    #expect(model.handle(.character("1")) == .start([0, 3], sixty, .virtual))
    #expect(model.handle(.character("4")) == .start([3, 1], sixty, .virtual))
    _ = model.handle(.down)
    _ = model.handle(.down)
    _ = model.handle(.character("s"))
    _ = model.handle(.down)
    #expect(model.handle(.enter) == .start([1, 2], sixty, .virtual))
  }

  @Test func `z goes round the vsyncs of a column, side by side alone, and says so`() {
    var model = model()
    #expect(model.handle(.character("z")) == nil)
    #expect(model.zoom == 1)
    #expect(
      model.notice
        == "one strategy has a column for each vsync; z zooms strategies side by side (c)")
    begin([1, 3], &model)
    let zooms = (0..<5).map { _ in
      _ = model.handle(.character("z"))
      return model.zoom
    }
    #expect(zooms == [2, 4, 8, 16, 1])
  }

  private func begin(_ chosen: [Int], _ model: inout LiveModel) {
    model.begin(
      chosen.map { RunModel(label: "\($0)", refresh: sixty, engine: .virtual) }, chosen: chosen)
  }

  @Test func `an unknown key points to the help`() {
    var model = model()
    #expect(model.handle(.character("x")) == nil)
    #expect(model.notice == "'x' is not a key; ? shows all keys")
    #expect(model.handle(.other) == nil)
    #expect(model.handle(.character("\u{1}")) == nil)
    #expect(model.notice == nil)
  }

  @Test func `a real run begins anew when a stopped process goes on`() {
    var model = model()
    #expect(model.handle(.resumed) == .start([1], sixty, .real))
    var virtual = self.model(engines: [.virtual])
    #expect(virtual.handle(.resumed) == nil)
  }
}
