import FrameBudget
import FrameBudgetScenarios
import Testing

struct OverrideTests {
  @Test func `a value of the file is replaced`() throws {
    let scenario = try Minimal.scenario("", "display.refresh=120 Hz", "duration=5 s")
    #expect(scenario.display.refresh == RefreshRate(120))
    #expect(scenario.duration == .seconds(5))
  }

  @Test func `an item of a list is addressed by its name or its index`() throws {
    #expect(
      try Minimal.scenario("", "workloads.add.arrival.once=200").workloads[0].arrival
        == .once(200, start: .zero))
    #expect(
      try Minimal.scenario("", "workloads.0.steps.0.cpu=3 ms").workloads[0].steps[0].load
        == .cpu(.constant(.milliseconds(3))))
  }

  @Test func `an arrangement in the list is addressed by the name after 'as'`() throws {
    let mine = "strategies: [main-thread, {as: mine}]\n"
    #expect(
      try Minimal.scenario(mine, "strategies.mine.speedup=3").strategies[1].arrangement.speedup
        == 3)
  }

  @Test(arguments: [
    "throttled", "{throttled: {}}", "{throttled: {batch: 7}}", "{throttled: {interval: 9 s}}",
  ])
  func `an option of a strategy in the list goes by the strategy's name`(_ item: String) throws {
    let listed = "strategies: [main-thread, \(item)]\n"
    for path in [
      "strategies.throttled.batch", "strategies.1.batch", "strategies.1.throttled.batch",
    ] {
      let strategy = try Minimal.scenario(listed, "\(path)=30").strategies[1]
      #expect(strategy.options.contains("batch=30"), "\(path): \(strategy.options)")
      #expect(strategy.options.contains("interval=9 s") == item.contains("interval"))
    }
  }

  @Test func `a value that the file does not have is added where the schema allows it`() throws {
    let scenario = try Minimal.scenario(
      "", "seed=7", "display.render=4 ms", "machine.cores=4", "services.gallery.state=5 records",
      "workloads.add.arrival.start=2 s", "workloads.add.result.cpu=1 us")
    #expect(scenario.seed == 7)
    #expect(scenario.display.render == .constant(.milliseconds(4)))
    #expect(scenario.machine.cores == 4)
    #expect(scenario.services[0].records == 5)
    #expect(scenario.workloads[0].arrival == .once(10, start: .seconds(2)))
    #expect(scenario.workloads[0].result == .constant(.microseconds(1)))
  }

  @Test func `a single value may replace a distribution`() throws {
    let render = try Minimal.scenario(
      "ui: {reads: [{service: gallery, cpu: {exponential: {mean: 1 ms}}}]}\n",
      "ui.reads.0.cpu=2 ms"
    ).reads[0].cpu
    #expect(render == .constant(.milliseconds(2)))
  }

  @Test func `the last of several values for one path wins`() throws {
    #expect(try Minimal.scenario("", "seed=7", "seed=8").seed == 8)
  }

  @Test func `a value may contain an equals sign`() throws {
    #expect(try Minimal.scenario("", "about=a=b").about == "a=b")
  }

  @Test(arguments: [
    (
      "display.refesh=60 Hz",
      "--set display.refesh: 'refesh' is not a key of display; did you mean 'refresh'?"
    ),
    (
      "dispaly.refresh=60 Hz",
      "--set dispaly.refresh: 'dispaly' is not a key of a scenario file; did you mean 'display'?"
    ),
    (
      "workloads.ad.arrival.once=2",
      "--set workloads.ad.arrival.once: the list has no item 'ad'; did you mean 'add'?"
    ),
    (
      "workloads.7.arrival.once=2",
      "--set workloads.7.arrival.once: the list has no item '7'; allowed: add"
    ),
    (
      "workloads.add.steps.3.cpu=1 ms",
      "--set workloads.add.steps.3.cpu: the list has no item '3'; allowed: places below 1"
    ),
    (
      "duration.long=1",
      "--set duration.long: there is no 'long' in '10 s'; allowed: paths that end before it"
    ),
    (
      "workloads.add.arrival.every=1 s",
      "--set workloads.add.arrival.every: an arrival has both once and every; "
        + "allowed: one of them"
    ),
    (
      "services.galery.state=1 records",
      "--set services.galery.state: 'galery' is not a service; did you mean 'gallery'?"
    ),
  ])
  func `a wrong path names the flag and what is near`(change: String, error: String) {
    #expect(Minimal.error("", change) == error)
  }

  @Test(arguments: [
    (
      "display.refresh=60 kHz",
      "--set display.refresh=60 kHz: '60 kHz' has the unit 'kHz'; allowed: Hz"
    ),
    (
      "seed=",
      "--set seed=: this is empty; allowed: a whole number from 0 to 18446744073709551615"
    ),
    (
      "workloads.add.arrival=5",
      "--set workloads.add.arrival=5: this is a single value; allowed: a mapping with the keys "
        + "once, batch, every, rate, at, start, recorded, column"
    ),
    (
      "workloads.add.steps.0.service=galery",
      "--set workloads.add.steps.0.service=galery: 'galery' is not a service; "
        + "did you mean 'gallery'?"
    ),
    (
      "about=\u{1B}[31m",
      "--set about=\u{FFFD}[31m: '\u{FFFD}[31m' has control characters; allowed: printable ones"
    ),
  ])
  func `a wrong value names the flag with the value`(change: String, error: String) {
    #expect(Minimal.error("", change) == error)
  }

  @Test(arguments: ["seed", "=5", "", ".=5"])
  func `text that is not a path and a value is refused`(text: String) {
    let error = Minimal.error("", text)
    #expect(error?.hasPrefix("--set: '\(text)' is not a change; allowed: PATH=VALUE") == true)
  }

  @Test func `a path of a million names is refused`() {
    let path = Array(repeating: "a", count: 1_000_000).joined(separator: ".")
    let error = Minimal.error("", path + "=1")
    #expect(error?.hasSuffix("a.…: this path is too long; allowed: 32 names") == true)
    #expect((error?.count ?? 0) < 300)
  }

  @Test func `another flag that sets a value is named as it was given`() {
    let override = Override(path: "duration", value: "5", flag: "--duration 5")
    let error = #expect(throws: ScenarioError.self) {
      try ScenarioFile.parse(Array(Minimal.text.utf8), file: "a.yaml", overrides: [override])
    }
    #expect(
      error?.description == "--duration 5: '5' has no unit; allowed: ns, us, ms, s or min")
  }

  @Test func `a fault of the file comes before one of a flag`() {
    let error = Minimal.error("seed: x\n", "display.refresh=60")
    #expect(error?.hasPrefix("minimal.yaml:9:7: 'x' is not a seed") == true)
  }
}
