import FrameBudget
import Testing

@Suite struct StrategyCatalogTests {
  /// With a loop of events, which some strategies use.
  private static let scenario: Scenario = {
    var scenario = Scenario.with([.files(), .files(priority: .user, name: "tap")])
    scenario.display.mainLoop = .events(MainLoop.Events())
    scenario.workloads[1].admission = .all
    return scenario
  }()

  private func arrangement(_ name: String, _ options: [(String, String)] = []) throws -> Arrangement
  {
    try StrategyCatalog.strategy(
      name, options: options.map { (key: $0.0, value: $0.1) }, for: Self.scenario
    ).arrangement
  }

  @Test func `the names match the contract`() {
    #expect(
      StrategyCatalog.all.map(\.name) == [
        "main-thread", "throttled", "optimised", "time-sliced", "yielding",
        "newest", "threads-and-locks", "schedulable",
        "schedulable-priorities", "schedulable-accounts", "schedulable-partial",
        "schedulable-naive",
        "gcd-serial", "gcd-concurrent", "operation-queue", "job-queue", "observe-on", "actors",
        "actors-on-scheduler", "event-loop", "bridge", "process",
      ])
  }

  @Test func `the listed defaults match the contract`() {
    let options = StrategyCatalog.all.map { $0.options.map(\.assignment).joined(separator: " ") }
    #expect(
      options == [
        "", "batch=1000 interval=5 s", "speedup=4", "estimate=learned unit=item look-ahead=on",
        "every=step resumes=in-turn", "debounce=off throttle=off",
        "locking=fine lock=barging drain=2 ms", "drain=2 ms publish=per-frame",
        "drain=2 ms publish=per-frame",
        "nice=10 drain=2 ms publish=per-frame", "moved=1 drain=2 ms publish=per-frame",
        "drain=2 ms publish=per-frame",
        "drain=2 ms publish=per-frame", "width=4 lock=barging drain=2 ms",
        "width=1 operations=item lock=barging drain=2 ms publish=per-frame",
        "persister=none restore=creating kept=0 drain=2 ms publish=per-frame",
        "width=4 drain=item lock=mutex results=2 ms",
        "drain=2 ms publish=per-frame", "drain=2 ms publish=per-frame",
        "drain=2 ms publish=per-frame", "drain=2 ms publish=per-frame flush=5 ms",
        "drain=2 ms publish=per-frame",
      ])
  }

  @Test(arguments: StrategyCatalog.all.map(\.name))
  func `setting an option to its listed default changes nothing`(name: String) throws {
    let named = try #require(StrategyCatalog.all.first { $0.name == name })
    let options = named.options.map { ($0.name, "\($0.standard)") }
    #expect(try arrangement(name, options) == arrangement(name))
    #expect(Set(named.options.map(\.name)).count == named.options.count)
  }

  /// An option without effect would be one that no arrangement reads.
  @Test(arguments: StrategyCatalog.all.map(\.name))
  func `every option changes the arrangement`(name: String) throws {
    var scenario = Self.scenario
    scenario.services[0].account = 0
    scenario.accounts = Accounts(
      names: ["home", "work"], switches: [Accounts.Switch(at: .seconds(1), to: 1)])
    func arrangement(_ options: [(key: String, value: String)]) throws -> Arrangement {
      try StrategyCatalog.strategy(name, options: options, for: scenario).arrangement
    }
    let named = try #require(StrategyCatalog.named(name))
    for option in named.options {
      // The effect of locks on an operation queue is visible if it is wide.
      let width = name == "operation-queue" && option.name == "lock" ? [("width", "2")] : []
      #expect(
        try arrangement([(option.name, option.other)] + width) != arrangement(width),
        "\(option.name)")
    }
  }

  @Test(arguments: StrategyCatalog.all.map(\.name))
  func `every strategy runs every scenario it is built for`(name: String) throws {
    for var scenario in [
      Self.scenario, .with([], services: 0), .with([.files(steps: [])], services: 0),
      .with(reads: [UIRead(service: 1, cpu: .none)]),
    ] {
      scenario.display.mainLoop = Self.scenario.display.mainLoop
      // Without any work there is nothing of which only the newest item matters.
      if name == "newest", !scenario.workloads.contains(where: { $0.admission != nil }) { continue }
      let strategy = try StrategyCatalog.strategy(name, for: scenario)
      #expect(strategy.name == name && strategy.options == "" && strategy.label == name)
      #expect(throws: Never.self) { try strategy.arrangement.validate(for: scenario) }
    }
  }

  /// The comparison covers the place of work, and not the share of each frame for its results.
  @Test(arguments: StrategyCatalog.all.map(\.name))
  func `results of background work are drained within the budget of an option`(
    name: String
  ) throws {
    let standard = try arrangement(name)
    if standard.endsOnMain(Self.scenario) { return #expect(standard.returning == .inPlace) }
    #expect(standard.returning == .drained(budget: .ms(2)))
    let option = name == "observe-on" ? "results" : "drain"
    var longer = try arrangement(name, [(option, "5 ms")])
    #expect(longer.returning == .drained(budget: .ms(5)))
    longer.returning = standard.returning
    #expect(longer == standard)
  }

  // MARK: Definitions

  @Test func `main-thread places everything on main`() throws {
    let main = try arrangement("main-thread")
    #expect(main == .onMain(Self.scenario))
    #expect(main.lanes == [.main] && main.placement == [.home(.main), .home(.main)])
    #expect(main.admission == .all && main.reading == .direct && main.returning == .inPlace)
    #expect(main.endsOnMain(Self.scenario) && main.promisesOrder)
  }

  @Test func `throttled admits one batch per interval`() throws {
    #expect(try arrangement("throttled").admission == .batch(1000, every: .seconds(5)))
    let own = try arrangement("throttled", [("interval", "250 ms"), ("batch", "50")])
    #expect(own.admission == .batch(50, every: .ms(250)))
    #expect(own.lanes == [.main])
  }

  @Test func `optimised is main-thread with cheaper steps`() throws {
    var optimised = try arrangement("optimised")
    #expect(optimised.speedup == 4)
    #expect(try arrangement("optimised", [("speedup", "2.5")]).speedup == 2.5)
    optimised.speedup = 1
    #expect(try optimised == arrangement("main-thread"))
  }

  @Test func `time-sliced runs only work that fits into the frame`() throws {
    let learned = Admission.Fitting(estimate: .learned, unit: .item, lookAhead: true)
    #expect(try arrangement("time-sliced").admission == .fitting(learned))
    let options = [("estimate", "exact"), ("unit", "step"), ("look-ahead", "off")]
    let exact = Admission.Fitting(estimate: .exact, unit: .step, lookAhead: false)
    #expect(try arrangement("time-sliced", options).admission == .fitting(exact))
  }

  @Test func `yielding is main-thread with tasks that yield`() throws {
    var yielding = try arrangement("yielding")
    #expect(yielding.yielding == Yielding(.step, resumes: .inTurn) && yielding.promisesOrder)
    let timed = try arrangement("yielding", [("every", "5 ms"), ("resumes", "in-turn")])
    #expect(timed.yielding == Yielding(.after(.ms(5))) && !timed.promisesOrder)
    let first = try arrangement("yielding", [("every", "5 ms"), ("resumes", "first")])
    #expect(first.yielding == Yielding(.after(.ms(5)), resumes: .first) && first.promisesOrder)
    yielding.yielding = nil
    #expect(try yielding == arrangement("main-thread"))
  }

  @Test func `newest is main-thread with a rule for items of which only the newest matters`() throws
  {
    #expect(try arrangement("newest").newest == .latest)
    #expect(try arrangement("newest", [("debounce", "300 ms")]).newest == .debounce(.ms(300)))
    var throttled = try arrangement("newest", [("throttle", "100 ms")])
    #expect(throttled.newest == .throttle(.ms(100)))
    throttled.newest = nil
    #expect(try throttled == arrangement("main-thread"))
    #expect(throws: StrategyError.self) {
      try arrangement("newest", [("throttle", "100 ms"), ("debounce", "1 s")])
    }
  }

  @Test func `yielding needs an event loop, and newest items that may be replaced`() {
    let scenario = Scenario.with([.files()])
    let lacking = StrategyCatalog.all.filter { $0.lack(for: scenario) != nil }
    #expect(lacking.map(\.name) == ["yielding", "newest"])
    let rest = StrategyCatalog.all(for: scenario).map(\.name)
    #expect(
      rest == StrategyCatalog.all.map(\.name).filter { !["yielding", "newest"].contains($0) })
    let error = #expect(throws: StrategyError.self) {
      try StrategyCatalog.strategy("yielding", for: scenario)
    }
    #expect(
      error?.description
        == "strategy yielding yields; that needs 'main-loop: events' in the display")
  }

  @Test func `threads-and-locks has a thread per workload and a lock per service`() throws {
    let fine = try arrangement("threads-and-locks")
    #expect(fine.lanes.map(\.name) == ["main", "file", "tap"])
    #expect(fine.lanes.dropFirst().allSatisfy { $0.carrier == .thread && $0.width == 1 })
    #expect(fine.entry == [1, 2] && fine.placement == [.guarded(0), .guarded(1)])
    #expect(Array(fine.locks) == ["service0", "service1"].map { Lock(name: $0, kind: .barging) })
    #expect(fine.reading == .locked && fine.promisesOrder)
    #expect(!fine.endsOnMain(Self.scenario))
  }

  @Test(arguments: Lock.Kind.allCases)
  func `coarse locking is one lock, held for an item`(kind: Lock.Kind) throws {
    let options = [("locking", "coarse"), ("lock", kind.rawValue)]
    let coarse = try arrangement("threads-and-locks", options)
    #expect(coarse.locks.map(\.kind) == [kind] && coarse.locks.map(\.hold) == [.item])
    #expect(coarse.placement == [.guarded(0), .guarded(0)])
  }

  @Test func `observe-on has several threads, workload order, and a lock per service`()
    throws
  {
    let standard = try arrangement("observe-on")
    #expect(standard.lanes == [.main, Lane(name: "workers", carrier: .ordered, width: 4)])
    #expect(standard.entry == [1, 1] && standard.placement == [.guarded(0), .guarded(1)])
    #expect(standard.reading == .locked && standard.promisesOrder)
    let own = try arrangement(
      "observe-on", [("width", "2"), ("drain", "batch"), ("lock", "spin")]
    ).lanes[1]
    #expect(own.width == 2)
    #expect(own.options[.drain] == .choice("batch") && own.options[.lock] == .choice("spin"))
  }

  @Test func `schedulable has all services on one background scheduler`() throws {
    let schedulable = try arrangement("schedulable")
    #expect(schedulable.lanes == [.main, Lane(name: "background", carrier: .scheduler)])
    #expect(schedulable.placement == [.home(1), .home(1)])
    #expect(schedulable.reading == .snapshot(.perFrame))
    #expect(schedulable.returning == .drained(budget: .ms(2)))
    let own = try arrangement("schedulable", [("drain", "500 us"), ("publish", "per-step")])
    #expect(own.reading == .snapshot(.perStep) && own.returning == .drained(budget: .ms(0.5)))
  }

  @Test func `schedulable-priorities is schedulable with overtaking`() throws {
    var priorities = try arrangement("schedulable-priorities")
    #expect(priorities.lanes[1].overtaking && priorities.promisesOrder)
    priorities.lanes[1].overtaking = false
    #expect(try priorities == arrangement("schedulable"))
  }

  @Test func `schedulable-partial moves the first services and leaves the rest on main`() throws {
    #expect(try arrangement("schedulable-partial").placement == [.home(1), .home(.main)])
    let all = try arrangement("schedulable-partial", [("moved", "2")])
    #expect(try all == arrangement("schedulable"))
    #expect(try arrangement("schedulable-partial", [("moved", "9")]) == all)
  }

  @Test(arguments: [
    ("schedulable-naive", CarrierKind.naive), ("gcd-serial", .dispatch),
    ("operation-queue", .operationQueue), ("event-loop", .nio),
  ])
  func `differs from schedulable only in its carrier`(name: String, carrier: CarrierKind) throws {
    var other = try arrangement(name)
    #expect(other.lanes[1].carrier == carrier)
    other.lanes[1] = Lane(name: "background", carrier: .scheduler)
    #expect(try other == arrangement("schedulable"))
  }

  @Test(arguments: [("actors", CarrierKind.actor), ("actors-on-scheduler", .actorOnScheduler)])
  func `has an actor per service`(name: String, carrier: CarrierKind) throws {
    let actors = try arrangement(name)
    #expect(actors.lanes.dropFirst().map(\.name) == ["service0", "service1"])
    #expect(actors.lanes.dropFirst().allSatisfy { $0.carrier == carrier })
    #expect(actors.placement == [.home(1), .home(2)] && !actors.promisesOrder)
  }

  @Test(arguments: ["gcd-concurrent", "operation-queue"])
  func `several threads need locks`(name: String) throws {
    let wide = try arrangement(name, [("width", "3"), ("lock", "fair")])
    #expect(wide.lanes[1].width == 3 && wide.placement == [.guarded(0), .guarded(1)])
    #expect(wide.locks.allSatisfy { $0.kind == .fair } && wide.reading == .locked)
    #expect(!wide.promisesOrder)
  }

  @Test func `operation-queue can run each step as an operation`() throws {
    let steps = try arrangement("operation-queue", [("operations", "step")])
    #expect(steps.lanes[1].splitsSteps && steps.promisesOrder)
  }

  @Test func `the strategy's name shows the given options`() throws {
    let strategy = try StrategyCatalog.strategy(
      "throttled", options: [(key: "interval", value: "2 s"), (key: "batch", value: "5")],
      for: Self.scenario)
    #expect(strategy.options == "interval=2 s;batch=5")
    #expect(strategy.label == "throttled:interval=2 s:batch=5")
  }

  // MARK: Errors

  @Test(
    arguments: [
      ("schedulabel", [], "'schedulabel' is not a strategy; did you mean 'schedulable'?"),
      ("main-thread", ["batch=1"], "'batch' is not an option of main-thread, which has none"),
      ("throttled", ["bach=1"], "'bach' is not an option of throttled; did you mean 'batch'?"),
      (
        "throttled", ["wings=2"],
        "'wings' is not an option of throttled; allowed: batch, interval"
      ),
      ("throttled", ["batch=1", "batch=2"], "option 'batch' is given twice"),
      (
        "throttled", ["batch=0"],
        "'0' is not a value of option 'batch'; allowed: a whole number from 1 to 1000000"
      ),
      (
        "throttled", ["batch=1000001"],
        "'1000001' is not a value of option 'batch'; allowed: a whole number from 1 to 1000000"
      ),
      (
        "throttled", ["batch=many"],
        "'many' is not a value of option 'batch'; allowed: a whole number from 1 to 1000000"
      ),
      (
        "throttled", ["interval=5"],
        "'5' is not a value of option 'interval': it has no unit; allowed: ns, us, ms, s or min"
      ),
      (
        "optimised", ["speedup=0"],
        "'0' is not a value of option 'speedup'; allowed: a number from 0.001 to 1000"
      ),
      (
        "optimised", ["speedup=-4"],
        "'-4' is not a value of option 'speedup'; allowed: a number from 0.001 to 1000"
      ),
      (
        "time-sliced", ["estimate=guessed"],
        "'guessed' is not a value of option 'estimate'; allowed: learned, exact"
      ),
      (
        "time-sliced", ["look-ahead=maybe"],
        "'maybe' is not a value of option 'look-ahead'; allowed: on or off"
      ),
      (
        "yielding", ["every=0 ms"],
        "'0 ms' is not a value of option 'every'; allowed: durations above 0 s"
      ),
      (
        "yielding", ["every=steps"],
        "'steps' is not a value of option 'every'; allowed: step, or a duration such as 5 ms, above 0 s"
      ),
      (
        "observe-on", ["width=257"],
        "'257' is not a value of option 'width'; allowed: a whole number from 1 to 256"
      ),
      (
        "threads-and-locks", ["lock=spin"],
        "'spin' is not a value of option 'lock'; allowed: barging, fair, inheriting"
      ),
      (
        "operation-queue", ["lock=fair"],
        "'lock' has no effect here: it is for a width above 1"
      ),
      (
        "operation-queue", ["publish=per-step", "width=2"],
        "'publish' has no effect here: it is for a width of 1"
      ),
    ] as [(String, [String], String)])
  func `an error names the mistake and what is allowed`(
    name: String, options: [String], message: String
  ) {
    let pairs = options.map { option in
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts[0], parts[1])
    }
    let error = #expect(throws: StrategyError.self) { try arrangement(name, pairs) }
    #expect(error?.description == message)
  }

  @Test func `an error on a strategy that resembles none lists all`() {
    let error = #expect(throws: StrategyError.self) { try arrangement("magic") }
    let names = StrategyCatalog.all.map(\.name).joined(separator: ", ")
    #expect(error?.description == "'magic' is not a strategy; allowed: \(names)")
  }
}

extension StrategyOption {
  /// A value that is not the default.
  fileprivate var other: String {
    switch kind {
    case .choice(let words): words.first { .choice($0) != standard } ?? ""
    case .flag: standard == .flag(true) ? "off" : "on"
    case .duration: standard == .duration(.ms(7)) ? "8 ms" : "7 ms"
    case .durationOr: "7 ms"
    case .count(let range):
      "\(StrategyOption.Value.count(range.lowerBound) == standard ? range.lowerBound + 1 : range.lowerBound)"
    case .factor(let range): "\(range.lowerBound)"
    }
  }
}
