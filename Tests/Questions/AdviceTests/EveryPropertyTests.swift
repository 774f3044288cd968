import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import TestSupport
import Testing

@testable import FrameBudgetAdvice

/// A change of one property of a value, called by the names of the type and the property.
struct PropertyChange<Value: Sendable>: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let change: @Sendable (inout Value) -> Void

  init(_ property: String, _ change: @escaping @Sendable (inout Value) -> Void) {
    testDescription = property
    self.change = change
  }

  /// The stored properties of `value` that none of `changes` changes.
  static func missing<Part>(_ changes: [Self], of value: Part) -> [String] {
    let known = Set(changes.map(\.testDescription))
    return Mirror(reflecting: value).children.compactMap(\.label).map { "\(Part.self).\($0)" }
      .filter { !known.contains($0) }
  }
}

/// No part of an app or of an arrangement can change unnoticed, not even one that is added later.
@Suite struct EveryPropertyTests {
  /// Each property of it matters: frames are late, tasks fork, input, timers and recorded arrivals are there.
  private static func app() throws -> Scenario {
    let text = """
      scenario: app
      display: {refresh: 60 Hz, render: 5 ms, main-loop: events, deadline: 2}
      duration: 1 s
      services: {files: {state: 100 records, account: one}, index: {}, log: {}}
      workloads:
        - name: add
          arrival: {recorded: at.csv, column: ms}
          steps:
            - {service: files, cpu: 6 ms}
            - {service: index, cpu: 14 ms}
        - name: tap
          arrival: {every: 100 ms}
          steps: [{service: log, cpu: 0.5 ms}]
          respond_within: 50 ms
      ui:
        reads: [{service: files, cpu: 100 us}]
        account: one
        frame: [{name: bind-rows, cpu: {uniform: {from: 0 ms, to: 4 ms}}}]
      strategies: [main-thread]
      """
    let arrivals = (2..<40).map { TimeSpan.microseconds(Int64($0) * 16_667 + 5500) }
    return try ScenarioFile.parse(Array(text.utf8), file: "app.yaml") {
      (_, _) throws(ScenarioFile.RecordingError) in
      guard let recorded = RecordedDurations(arrivals) else {
        throw ScenarioFile.RecordingError("holds no durations")
      }
      return recorded
    }
  }

  private static let changes: [PropertyChange<Scenario>] =
    ofScenarios + ofScreens + ofWorkloads + ofServices

  private static let ofScenarios: [PropertyChange<Scenario>] = [
    .init("Scenario.name") { $0.name = "other" },
    .init("Scenario.about") { $0.about = "Another." },
    .init("Scenario.display") { $0.display.refresh = RefreshRate(90) },
    .init("Scenario.duration") { $0.duration = .milliseconds(500) },
    .init("Scenario.warmup") { $0.warmup = .zero },
    .init("Scenario.seed") { $0.seed = 9 },
    .init("Scenario.machine") { $0.machine = Machine(cores: 1) },
    .init("Scenario.services") { $0.services.append(Service(name: "new")) },
    .init("Scenario.resources") { $0.resources = [Resource(name: "network", parallel: 6)] },
    .init("Scenario.accounts") { $0.accounts = Accounts(names: ["one", "two"], first: 1) },
    .init("Scenario.workloads") { $0.workloads.removeLast() },
    .init("Scenario.reads") { $0.reads = [] },
    .init("Scenario.frameParts") {
      $0.frameParts.append(FramePart(name: "measure", cpu: .constant(.milliseconds(12))))
    },
    .init("Scenario.strategies") { $0.strategies = [] },
    .init("Scenario.expectations") {
      $0.expectations = [
        Expectation(engine: .virtual, strategy: "main-thread", Aim("dropped_frames", maximum: 0))
      ]
    },
    .init("Scenario.aims") { $0.aims = [Aim("dropped_frames", maximum: 3)] },
    .init("Scenario.phase") { $0.phase = .random },
    .init("Scenario.learned") {
      $0.learned = Learned(source: "a.json", coverage: 1, replay: .poor)
    },
    .init("Machine.speeds") { $0.machine.speeds = [500, 500] },
    .init("Machine.scheduler") { $0.machine.scheduler = .global },
    .init("Machine.hasPools") { $0.machine.hasPools = false },
    .init("Machine.slice") { $0.machine.slice = .milliseconds(1) },
    .init("Machine.busy") { $0.machine.busy = 3 },
    .init("Accounts.names") { $0.accounts.names.append("three") },
    .init("Accounts.switches") {
      $0.accounts.names.append("two")
      $0.accounts.switches.append(Accounts.Switch(at: .milliseconds(100), to: 1))
    },
  ]

  private static let ofScreens: [PropertyChange<Scenario>] = [
    .init("Display.refresh") { $0.display.refresh = RefreshRate(120) },
    .init("Display.render") { $0.display.render = .constant(.milliseconds(12)) },
    .init("Display.pipeline") { $0.display.pipeline = Pipeline() },
    .init("Display.frames") { $0.display.frames = .onDemand(at: []) },
    .init("Display.mainLoop") { $0.display.mainLoop = .frame },
    .init("Display.platform") { $0.display.platform = .qt },
    .init("Pipeline.deadline") { $0.display.pipeline.deadline = 1 },
    .init("Pipeline.buffers") { $0.display.pipeline.buffers = 4 },
    .init("Pipeline.compositor") {
      $0.display.pipeline.compositor = .constant(.milliseconds(15))
    },
    .init("Pipeline.usesGPU") { $0.display.pipeline.usesGPU = true },
    .init("FramePart.name") { $0.frameParts[0].name = "inflate" },
    .init("FramePart.cpu") { $0.frameParts[0].cpu = .constant(.milliseconds(14)) },
    .init("FramePart.ahead") { $0.frameParts[0].ahead = 3 },
    .init("FramePart.unit") { $0.frameParts[0].unit = .constant(.milliseconds(2)) },
    .init("UIRead.service") { $0.reads[0].service = 1 },
    .init("UIRead.cpu") { $0.reads[0].cpu = .constant(.milliseconds(9)) },
  ]

  private static let ofWorkloads: [PropertyChange<Scenario>] = [
    .init("Workload.name") { $0.workloads[0].name = "put" },
    .init("Workload.copyOf") { $0.workloads[0].copyOf = "original" },
    .init("Workload.item") { $0.workloads[0].item = "photo" },
    .init("Workload.arrival") { $0.workloads[0].arrival = .once(3, start: .zero) },
    .init("Workload.steps") { $0.workloads[0].steps.removeLast() },
    .init("Workload.files") { $0.workloads[0].files = "photos" },
    .init("Workload.result") { $0.workloads[0].result = .constant(.milliseconds(12)) },
    .init("Workload.priority") { $0.workloads[1].priority = .user },
    .init("Workload.respondWithin") { $0.workloads[0].respondWithin = .milliseconds(1) },
    .init("Workload.draws") { $0.workloads[0].draws = true },
    .init("Workload.shows") { $0.workloads[0].shows = false },
    .init("Workload.isInput") { $0.workloads[1].isInput = true },
    .init("Workload.isTimer") { $0.workloads[1].isTimer = true },
    .init("Workload.admission") { $0.workloads[0].admission = .latest },
    .init("Step.name") { $0.workloads[0].steps[0].name = "copy" },
    .init("Step.service") { $0.workloads[0].steps[0].service = 2 },
    .init("Step.load") { $0.workloads[0].steps[0].load = .cpu(.constant(.milliseconds(1))) },
    .init("Step.task") { $0.workloads[0].steps[0].task = .stat },
    .init("Step.wait") { $0.workloads[0].steps[0].wait = .constant(.milliseconds(7)) },
    .init("Step.suspension") {
      $0.workloads[0].steps[0].suspension = Suspension(.constant(.milliseconds(7)))
    },
    .init("Step.isAwaited") { $0.workloads[0].steps[0].isAwaited = false },
    .init("Step.joins") { $0.workloads[0].steps[1].joins = true },
    .init("Step.answers") { $0.workloads[0].steps[0].answers = true },
    .init("Step.repeats") { $0.workloads[0].steps[0].repeats = 3 },
    .init("Step.slice") { $0.workloads[0].steps[1].slice = .milliseconds(4) },
  ]

  private static let ofServices: [PropertyChange<Scenario>] = [
    .init("Service.name") { $0.services[0].name = "store" },
    .init("Service.copyOf") { $0.services[0].copyOf = "original" },
    .init("Service.records") { $0.services[0].records = 100_000 },
    .init("Service.account") { $0.services[0].account = nil },
    .init("Service.isKept") { $0.services[0].isKept = true },
    .init("Service.isExclusive") { $0.services[2].isExclusive = false },
  ]

  @Test func `every property of a scenario is changed by one of the changes`() throws {
    let app = try Self.app()
    let missing =
      PropertyChange.missing(Self.changes, of: app)
      + PropertyChange.missing(Self.changes, of: app.display)
      + PropertyChange.missing(Self.changes, of: app.display.pipeline)
      + PropertyChange.missing(Self.changes, of: app.machine)
      + PropertyChange.missing(Self.changes, of: app.accounts)
      + PropertyChange.missing(Self.changes, of: app.reads[0])
      + PropertyChange.missing(Self.changes, of: app.frameParts[0])
      + PropertyChange.missing(Self.changes, of: app.workloads[0])
      + PropertyChange.missing(Self.changes, of: app.workloads[0].steps[0])
      + PropertyChange.missing(Self.changes, of: app.services[0])
    #expect(missing == [])
  }

  /// What a run shows of the main thread and of the items; nothing that is only a text.
  private static func log(_ scenario: Scenario) -> RunLog {
    let strategy = Strategy(name: "main-thread", arrangement: .onMain(scenario))
    return VirtualEngine(detail: .frames).run(RunPlan(scenario, under: strategy))
  }

  @Test(arguments: changes)
  func `a changed property is named, or the runs are the same`(
    _ property: PropertyChange<Scenario>
  ) throws {
    let before = try Self.app()
    var after = before
    property.change(&after)
    #expect(after != before)
    let (old, new) = (Self.log(before), Self.log(after))
    let explanation = try #require(
      Explanation(
        before: before, under: Strategy(name: "before", arrangement: .onMain(before)),
        after: after, under: Strategy(name: "after", arrangement: .onMain(after))))
    #expect(explanation.before == old.frames.dropped)
    #expect(explanation.after == new.frames.dropped)
    let sum = explanation.shares.map(\.numerator).reduce(0, +)
    let denominator = explanation.shares.first?.denominator ?? 1
    #expect(sum == (explanation.after - explanation.before) * denominator)
    if explanation.shares.isEmpty {
      #expect(new.frames.records == old.frames.records)
      #expect(new.items.map(\.completions) == old.items.map(\.completions))
    }
  }

  // MARK: Arrangements

  /// A service on a lane, one behind a lock, and items that begin behind the lock.
  private static func arrangement(_ app: Scenario) -> Arrangement {
    Arrangement(
      lanes: [
        .main, Lane(name: "back", carrier: .scheduler), Lane(name: "slow", carrier: .bridge),
      ],
      locks: [Lock(name: "guard", kind: .standard)],
      placement: [.guarded(0), .home(1), .home(2)], entry: [1, .main])
  }

  private static let arranged: [PropertyChange<Arrangement>] = [
    .init("Arrangement.lanes") { $0.lanes[1].width = 3 },
    .init("Arrangement.locks") { $0.locks[0].kind = .fair },
    .init("Arrangement.placement") { $0.placement[1] = .home(.main) },
    .init("Arrangement.entry") { $0.entry[0] = 2 },
    .init("Arrangement.admission") { $0.admission = .batch(1, every: .milliseconds(10)) },
    .init("Arrangement.reading") { $0.reading = .snapshot(.perStep) },
    .init("Arrangement.returning") { $0.returning = .coalesced },
    .init("Arrangement.yielding") { $0.yielding = Yielding() },
    .init("Arrangement.newest") { $0.newest = .latest },
    .init("Arrangement.frameParts") {
      $0.frameParts = [.prefetched(frames: 2, estimate: .learned)]
    },
    .init("Arrangement.presentsLater") { $0.presentsLater = 1 },
    .init("Arrangement.speedup") { $0.speedup = 2 },
    .init("Lane.name") { $0.lanes[1].name = "front" },
    .init("Lane.carrier") { $0.lanes[1].carrier = .dispatch },
    .init("Lane.nice") { $0.lanes[1].nice = 4 },
    .init("Lane.renices") {
      $0.lanes[.main].renices = [Lane.Renice(at: .milliseconds(3), to: 5)]
    },
    .init("Lane.width") { $0.lanes[1].width = 2 },
    .init("Lane.overtaking") { $0.lanes[1].overtaking = true },
    .init("Lane.options") { $0.lanes[2].options[.flush] = .duration(.milliseconds(9)) },
    .init("Lane.cores") { $0.lanes[1].cores = CoreSet([1]) },
    .init("Lock.kind") { $0.locks[0].kind = .inheriting },
    .init("Lock.hold") { $0.locks[0].hold = .item },
  ]

  @Test(arguments: arranged)
  func `a changed property of an arrangement has a weight`(
    _ property: PropertyChange<Arrangement>
  ) throws {
    let app = try Self.app()
    let today = Self.arrangement(app)
    var other = today
    property.change(&other)
    let space = SearchSpace(
      AdviceRequest(app, today: Strategy(name: "today", arrangement: today)))
    #expect(space.change(to: other) != Change())
    #expect(space.change(to: today) == Change())
  }

  /// The name of a lock is only for people.
  @Test func `every property of an arrangement is changed by one of the changes`() throws {
    let today = Self.arrangement(try Self.app())
    let missing =
      PropertyChange.missing(Self.arranged, of: today)
      + PropertyChange.missing(Self.arranged, of: today.lanes[1])
      + PropertyChange.missing(Self.arranged, of: today.locks[0])
    #expect(missing == ["Lock.name"])
  }
}
