import FrameBudget
import Testing

@testable import FrameBudgetReports

@Suite struct `The sketch of an arrangement` {
  private static func step(_ service: ServiceIndex, _ name: String) -> Step {
    Step(name: name, service: service, load: .cpu(.constant(.milliseconds(1))))
  }

  private let scenario = Scenario(
    name: "sketched", display: Display(refresh: RefreshRate(60)), duration: .seconds(1),
    services: [Service(name: "gallery"), Service(name: "catalogue")],
    workloads: [
      Workload(
        name: "add-file", arrival: .once(10, start: .zero),
        steps: [step(0, "stat"), step(1, "insert")]),
      Workload(name: "tap", arrival: .once(1, start: .zero), steps: [step(1, "tap")]),
    ], reads: [UIRead(service: 1, cpu: .constant(.microseconds(20)))])

  private func sketch(_ name: String, _ options: [(key: String, value: String)] = []) throws
    -> String
  {
    let strategy = try StrategyCatalog.strategy(name, options: options, for: scenario)
    return ArrangementSketch(scenario, under: strategy.arrangement).text
  }

  @Test func `says what lives on the main thread and what it does in a frame`() throws {
    #expect(
      try sketch("throttled") == """
        main       [frame loop]  home of gallery, catalogue  starts 1000 items each 5 s  draws

        add-file   main: stat, insert, result
        tap        main: tap, result

        UI         reads catalogue in place

        calls      0 of 3 go to another lane

        """)
  }

  @Test func `shows where the main thread yields, and the kind of its loop`() throws {
    var scenario = scenario
    scenario.display.mainLoop = .events(MainLoop.Events())
    let sketches = try [[], [(key: "every", value: "5 ms"), (key: "resumes", value: "first")]].map {
      let strategy = try StrategyCatalog.strategy("yielding", options: $0, for: scenario)
      return ArrangementSketch(scenario, under: strategy.arrangement).text.prefix { $0 != "\n" }
    }
    #expect(
      sketches == [
        "main       [event loop]  home of gallery, catalogue  yields after each step, resumes in-turn  draws",
        "main       [event loop]  home of gallery, catalogue  yields after 5 ms of a task, resumes first  draws",
      ])
  }

  @Test func `shows where parts of drawing run, and the price of a cache or a budget`() {
    var scenario = scenario
    scenario.frameParts = ["measure", "bind-rows", "icons", "shadows", "chart"].map {
      FramePart(name: $0, cpu: .constant(.milliseconds(1)), ahead: 3)
    }
    var arrangement = Arrangement.onMain(scenario)
    arrangement.frameParts = [
      .inFrame, .prefetched(frames: 3, estimate: .learned), .cached(hits: 0.8),
      .cached(hits: 0.9925), .spread(budget: .milliseconds(4)),
    ]
    let main = ArrangementSketch(scenario, under: arrangement).text.prefix { $0 != "\n" }
    #expect(
      main.hasSuffix(
        "  draws, bind-rows up to 3 frames early, icons from memory in 80 % of frames, made earlier, "
          + "shadows from memory in 99.25 % of frames, made earlier, chart at most 4 ms in a frame"),
      "\(main)")
    arrangement.presentsLater = 2
    #expect(
      ArrangementSketch(scenario, under: arrangement).text.prefix { $0 != "\n" }
        == "\(main), frames 2 periods later, from 2 more buffers")
  }

  @Test func `shows the lane that prepares a part of drawing, on both threads`() {
    var scenario = scenario
    scenario.frameParts = ["text", "icons", "chart"].map {
      FramePart(name: $0, cpu: .constant(.milliseconds(1)), ahead: 3)
    }
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(Lane(name: "layout", carrier: .scheduler))
    arrangement.frameParts = [
      .prepared(lane: 1, frames: 2), .prepared(lane: 1, frames: 0), .inFrame,
    ]
    let lines = ArrangementSketch(scenario, under: arrangement).text.split(separator: "\n")
    #expect(
      lines[0].hasSuffix("  draws, text on lane layout up to 2 frames early, icons on lane layout"))
    #expect(lines[1] == "layout     [scheduler]  prepares text, icons")
    #expect(
      arrangement.partsInMemory(of: scenario) == ["text on lane layout up to 2 frames early"])
  }

  @Test func `shows what an item leaves to other lanes, and where it joins that`() throws {
    var scenario = scenario
    scenario.workloads[0].steps = [
      Self.step(0, "stat"), Self.step(0, "hash"), Self.step(1, "insert"), Self.step(0, "show"),
    ]
    scenario.workloads[0].steps[1].isAwaited = false
    scenario.workloads[0].steps[2].isAwaited = false
    scenario.workloads[0].steps[3].joins = true
    let strategy = try StrategyCatalog.strategy("actors", for: scenario)
    let sketch = ArrangementSketch(scenario, under: strategy.arrangement).text
    // On the gallery's own lane nothing is left to another one.
    #expect(
      sketch.contains(
        "main ─▶ gallery: stat, hash, (─▶ catalogue: insert), join, show ─▶ main: result\n"))
    // UI to gallery, from there to the catalogue, and the tap.
    #expect(sketch.contains("calls       3 of 3 go to another lane\n"))
  }

  @Test func `shows where an item waits without a thread, and locks that are never taken`() throws {
    var scenario = scenario
    scenario.resources = [Resource(name: "network", parallel: 6)]
    scenario.workloads[0].steps = [Self.step(0, "load"), Self.step(1, "insert")]
    scenario.workloads[0].steps[0].suspension = Suspension(.constant(.milliseconds(200)), on: 0)
    scenario.workloads[0].steps[1].suspension = Suspension(.constant(.milliseconds(1)))
    let strategy = try StrategyCatalog.strategy("actors", for: scenario)
    let sketch = ArrangementSketch(scenario, under: strategy.arrangement).text
    #expect(
      sketch.contains(
        "gallery: load (then waits for network) ─▶ catalogue: insert (then suspended) ─▶ main"))
    for service in scenario.services.indices { scenario.services[service].isExclusive = false }
    let guarded = try StrategyCatalog.strategy("threads-and-locks", for: scenario)
    #expect(
      ArrangementSketch(scenario, under: guarded.arrangement).text.contains("is never taken\n"))
  }

  @Test func `counts the places that call another lane, copies once`() throws {
    var copied = scenario
    copied.workloads[0].copyOf = "add"
    copied.workloads.append(copied.workloads[0])
    let moved = try StrategyCatalog.strategy("schedulable-partial", for: copied).arrangement
    let calls = CallCount(copied, under: moved)
    // UI to gallery, which has moved, from there to the catalogue on main; the tap stays on main.
    #expect(calls.all == 3 && calls.acrossLanes == 2)
  }

  @Test func `follows items from lane to lane and back`() throws {
    #expect(
      try sketch("schedulable") == """
        main         [frame loop]  runs results for up to 2 ms per frame  draws
        background   [scheduler]  home of gallery, catalogue

        add-file     main ─▶ background: stat, insert ─▶ main: result
        tap          main ─▶ background: tap ─▶ main: result

        UI           reads catalogue from a copy, made at most once a frame

        calls        2 of 3 go to another lane

        """)
  }

  @Test func `names locks, what they guard and how long they are held`() throws {
    #expect(
      try sketch("threads-and-locks", [("lock", "fair"), ("locking", "coarse")]) == """
        main              [frame loop]  runs results for up to 2 ms per frame  draws
        add-file          [thread]
        tap               [thread]

        lock everything   [fair]  guards gallery, catalogue, held for an item

        add-file          main ─▶ add-file: stat, insert ─▶ main: result
        tap               main ─▶ tap: tap ─▶ main: result

        UI                reads catalogue in place, under the lock

        calls             2 of 3 go to another lane

        """)
  }

  @Test
  func
    `shows several threads of a lane, their niceness, and a service that moves the item back to main`()
    throws
  {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(Lane(name: "files", carrier: .scheduler, nice: 10, width: 1))
    arrangement.lanes.append(Lane(name: "pool", carrier: .thread, width: 4))
    arrangement.placement = [.home(1), .home(.main)]
    let text = ArrangementSketch(scenario, under: arrangement).text
    #expect(text.contains("files      [scheduler, nice 10]  home of gallery\n"))
    #expect(text.contains("pool       [thread of 4 threads]\n"))
    #expect(text.contains("add-file   main ─▶ files: stat ─▶ main: insert, result\n"))
  }
}
