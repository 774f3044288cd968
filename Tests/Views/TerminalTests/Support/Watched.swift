import FrameBudget
import FrameBudgetSimulation

@testable import FrameBudgetTerminal

/// A session on the virtual engine, which tests can observe at any time.
struct Watched {
  var model: LiveModel
  private let scenario: Scenario
  private let strategies: [Strategy]
  private var runs: [Box] = []

  private final class Box {
    var run: SimulationRun
    init(_ plan: RunPlan) { run = VirtualEngine(detail: .frames).start(plan) }
  }

  init(
    _ strategies: String..., scenario: Scenario = .upload, refresh: RefreshRate = RefreshRate(60)
  ) throws {
    self.scenario = scenario
    self.strategies = try StrategyCatalog.all(for: scenario).map(\.name).prefix(7).map {
      try StrategyCatalog.strategy($0, for: scenario)
    }
    model = LiveModel(
      LiveModel.Session(
        scenario: scenario.name, strategies: self.strategies.map(\.label),
        engines: [.virtual, .real], refresh: refresh, batch: 1000))
    start(strategies.compactMap { name in self.strategies.firstIndex { $0.name == name } }, refresh)
  }

  /// Two strategies that were tried one after the other and then shown side by side for this number of milliseconds.
  static func compared(at milliseconds: Int64) throws -> Watched {
    var session = try Watched("main-thread")
    session.go(to: 300)
    session.press("7")
    session.go(to: 300)
    session.press("c")
    session.go(to: milliseconds)
    session.model.updateVerdicts { status in
      let drops = status.drops.reduce(0, +)
      return StatusWords(
        pieces: ["\(drops) of \(status.expected) frames dropped"], isProblem: drops > 0)
    }
    return session
  }

  mutating func start(_ choices: [Int], _ refresh: RefreshRate) {
    var scenario = scenario
    scenario.display.refresh = refresh
    let plans = choices.map { RunPlan(scenario, under: strategies[$0]) }
    model.begin(plans.map { RunModel($0, on: .virtual) }, chosen: choices)
    runs = plans.map(Box.init)
  }

  /// Advances to `milliseconds` after time 0, observing thirty times a second.
  mutating func go(to milliseconds: Int64) {
    let end = Instant.zero + .milliseconds(milliseconds)
    while let now = runs.first?.run.now, now < end {
      for (pane, box) in runs.enumerated() {
        box.run.advance(to: min(end, now + .microseconds(33_333)))
        model.take(box.run.observe(), pane: pane)
      }
    }
  }

  /// Presses a key, with the effect that the source of a real session has.
  mutating func press(_ key: Key) { perform(model.handle(key)) }

  private mutating func perform(_ command: Command?) {
    switch command {
    case .start(let choices, let refresh, _): start(choices, refresh)
    case .add(let count): for box in runs { box.run.add(count, of: 0) }
    default: break
    }
  }

  mutating func press(_ keys: String) {
    for scalar in keys.unicodeScalars { press(.character(scalar)) }
  }

  /// Clicks on the first place that shows `text` on a screen of that size, at the given column within it.
  mutating func click(_ text: String, plus offset: Int = 0, on size: (Int, Int)) {
    let screen = screen(size.0, size.1)
    for (row, line) in screen.lines.enumerated() {
      guard let range = line.firstRange(of: text) else { continue }
      let column = line.unicodeScalars.distance(from: line.startIndex, to: range.lowerBound)
      click(column + offset, row, on: size)
      return
    }
  }

  mutating func click(_ column: Int, _ row: Int, on size: (Int, Int)) {
    guard let target = screen(size.0, size.1).target(column, row) else { return }
    perform(model.handleClick(on: target))
  }

  func screen(_ columns: Int, _ rows: Int) -> Screen {
    LiveView(model).screen(columns: columns, rows: rows)
  }
}

extension Scenario {
  /// The same, with 12 requests every 400 ms, of which four at a time wait 150 ms for the network and then 30 ms for the disk.
  static var downloads: Scenario {
    var scenario = upload
    scenario.name = "downloads"
    scenario.resources = [Resource(name: "network", parallel: 4)]
    let waits: [(String, Int64, ResourceIndex?)] = [("fetch", 150, 0), ("store", 30, nil)]
    let steps = waits.map { name, span, resource in
      var step = Step(name: name, service: 0, load: .cpu(.constant(.microseconds(300))))
      step.suspension = Suspension(.constant(.milliseconds(span)), on: resource)
      return step
    }
    scenario.workloads.append(
      Workload(
        name: "download", arrival: .batch(12, every: .milliseconds(400), start: .zero),
        steps: steps))
    return scenario
  }

  /// 400 photos of 2.6 ms at 1 s, and a tap every 500 ms, on a screen that takes 10 ms to draw.
  static var upload: Scenario {
    func load(_ span: TimeSpan) -> Step.Load { .cpu(.constant(span)) }
    let photo = [
      Step(name: "hash", service: 0, load: load(.microseconds(1500))),
      Step(name: "insert", service: 1, load: load(.microseconds(1100))),
    ]
    let tap = [Step(name: "tap", service: 1, load: load(.microseconds(100)))]
    return Scenario(
      name: "camera-upload",
      display: Display(refresh: RefreshRate(60), render: .constant(.milliseconds(10))),
      duration: .seconds(60), warmup: .milliseconds(100), seed: 42,
      services: [Service(name: "hasher"), Service(name: "catalogue", records: 2000)],
      workloads: [
        Workload(
          name: "add-file", arrival: .once(400, start: .seconds(1)), steps: photo,
          result: .constant(.microseconds(20))),
        Workload(
          name: "tap",
          arrival: .batch(1, every: .milliseconds(500), start: .milliseconds(250)), steps: tap,
          priority: .user, respondWithin: .milliseconds(100)),
      ],
      reads: [UIRead(service: 1, cpu: .constant(.microseconds(20)))])
  }
}
