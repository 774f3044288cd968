import FrameBudget
import FrameBudgetScenarios
import Testing

@Suite struct `A file of costs` {
  private func costs(_ text: String) throws -> Costs {
    try CostsFile.parse(Array(text.utf8), file: "costs.json")
  }

  @Test func `replaces every cost that it has`() throws {
    let costs = try costs(
      """
      {
        "schema": 1,
        "carriers": {
          "scheduler": {"post_ns": 101, "wake_ns": 102.5, "latency_ns": 103.499},
          "actor-on-scheduler": {"post_ns": 7}
        },
        "lock": {"post_ns": 1, "wake_ns": 2, "latency_ns": 3},
        "context_switch_ns": 4,
        "copy_per_record_ns": 5,
        "release_per_record_ns": 6
      }

      """)
    var expected = Costs.standard
    expected[.scheduler] = HandOffCosts(
      post: .nanoseconds(101), wake: .nanoseconds(103), latency: .nanoseconds(103))
    expected[.actorOnScheduler].post = .nanoseconds(7)
    expected.lock = HandOffCosts(
      post: .nanoseconds(1), wake: .nanoseconds(2), latency: .nanoseconds(3))
    expected.contextSwitch = .nanoseconds(4)
    expected.copyPerRecord = .nanoseconds(5)
    expected.releasePerRecord = .nanoseconds(6)
    #expect(costs == expected)
  }

  @Test func `says what a carrier costs beyond a wake-up`() throws {
    let costs = try costs(
      "carriers: {operation-queue: {per_waiting_ns: 9, run_ns: 8}, naive: {look_every_ns: 7}}\n")
    var expected = Costs.standard
    expected[.operationQueue].perWaiting = .nanoseconds(9)
    expected[.operationQueue].run = .nanoseconds(8)
    expected[.naive].pollInterval = .nanoseconds(7)
    #expect(costs == expected)
  }

  @Test func `from before polling intervals keeps its meaning`() throws {
    let old = try costs("carriers: {naive: {post_ns: 230, wake_ns: 0, latency_ns: 50000000}}\n")
    #expect(
      old[.naive]
        == HandOffCosts(post: .nanoseconds(230), wake: .zero, latency: .milliseconds(50)))
    let new = try costs("carriers: {naive: {latency_ns: 60000, look_every_ns: 100000000}}\n")
    #expect(new[.naive].latency == .microseconds(60))
    #expect(new[.naive].pollInterval == .milliseconds(100))
  }

  @Test func `says what the machine does`() throws {
    let costs = try costs(
      """
      machine: {cores: 8, slice_ns: 2800000, wakes_on_idle_percent: 99, idle_wake_ns: 41000}

      """)
    var expected = Costs.standard
    expected.calibration = Calibration(
      cores: 8, slice: .microseconds(2800), wakesOnIdle: 99, idleWake: .microseconds(41))
    #expect(costs == expected)
  }

  @Test(arguments: ["{}", "{\"carriers\": {}, \"lock\": {}}", "lock:\n"])
  func `keeps the other costs`(_ text: String) throws {
    #expect(try costs(text) == .standard)
  }

  @Test func `may be YAML`() throws {
    #expect(try costs("context_switch_ns: 0\n").contextSwitch == .zero)
  }

  @Test(arguments: [
    ("", "1:1: the file is empty; allowed: costs"),
    ("[]", "1:1: this is a list; allowed: a mapping"),
    ("{\"lok\": {}}", "1:2: 'lok' is not a key of costs; did you mean 'lock'?"),
    (
      "{\"carriers\": {\"scheduller\": {}}}",
      "'scheduller' is not a key of the carriers; did you mean 'scheduler'?"
    ),
    ("{\"lock\": {\"post\": 1}}", "'post' is not a key of a lock's costs; allowed: post_ns"),
    ("{\"schema\": 2}", "1:12: '2' is out of range; allowed: a whole number from 1 to 1"),
    ("{\"machine\": {\"slice_ns\": 99999}}", "allowed: a whole number from 100000 to 100000000"),
    ("{\"machine\": {\"wakes_on_idle_percent\": 101}}", "allowed: a whole number from 0 to 100"),
    ("{\"machine\": {\"slice\": 1}}", "'slice' is not a key of the machine"),
    ("{\"context_switch_ns\": -1}", "'-1' is not a cost"),
    ("{\"context_switch_ns\": 2 us}", "'2 us' is not a cost"),
    ("{\"context_switch_ns\": 1000000001}", "'1000000001' is not a cost"),
    ("{\"context_switch_ns\": []}", "this is a list; allowed: a number of nanoseconds"),
    ("{\"lock\": 3}", "this is a single value"), ("{", "costs.json:1:"),
    ("\u{0}", "a control character"),
  ])
  func `says what is wrong, and where`(_ text: String, _ message: String) {
    let error = #expect(throws: ScenarioError.self) { try costs(text) }
    #expect(error.map { "\($0)" }?.hasPrefix("costs.json:") == true)
    #expect(error.map { "\($0)" }?.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
  }
}
