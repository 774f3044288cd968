import FrameBudget
import FrameBudgetScenarios
import Testing

struct ArrangementTests {
  private static let reads = "ui: {reads: [{service: catalogue, cpu: 1 us}]}\n"

  @Test func `the example of the docs needs nothing more`() throws {
    let arrangement = try #require(
      try Minimal.arrangement(
        """
        as: two-lanes
        lanes: {files: {carrier: scheduler}, network: {carrier: dispatch, nice: 10}}
        services: {gallery: files, catalogue: network}
        reads: snapshot
        """, more: Self.reads))
    #expect(
      arrangement.lanes == [
        .main, Lane(name: "files", carrier: .scheduler),
        Lane(name: "network", carrier: .dispatch, nice: 10),
      ])
    #expect(arrangement.placement == [.home(1), .home(2)])
    #expect(arrangement.reading == .snapshot(.perFrame))
    #expect(arrangement.returning == .drained(budget: .milliseconds(2)))
    #expect(arrangement.admission == .all)
  }

  @Test func `services live on main unless they are placed`() throws {
    let arrangement = try #require(try Minimal.arrangement("as: mine", more: Self.reads))
    #expect(arrangement == .onMain(try Minimal.scenario()))
    let half = try Minimal.arrangement("as: mine\nlanes: {back: }\nservices: {gallery: back}")
    #expect(half?.placement == [.home(1), .home(.main)])
    #expect(half?.lanes.last?.carrier == .scheduler)
  }

  @Test func `a lane has the options of its carrier, wherever that is named`() throws {
    let lanes = try Minimal.arrangement(
      """
      as: mine
      lanes:
        one: {operations: step, carrier: operation-queue}
        two: {carrier: operation-queue}
      """)?.lanes
    #expect(lanes?.map(\.splitsSteps) == [false, true, false])
  }

  @Test func `a lane's nice value can change`() throws {
    let lanes = try Minimal.arrangement(
      """
      as: mine
      lanes: {back: {nice: 3, renice: [{at: 1 s, nice: 19}, {at: 2.5 s, nice: 0}]}}
      """)?.lanes
    #expect(lanes?.last?.nice == 3)
    #expect(
      lanes?.last?.renices == [
        .init(at: .seconds(1), to: 19), .init(at: .milliseconds(2500), to: 0),
      ])
  }

  @Test func `locks, entries and lanes are taken over`() throws {
    let arrangement = try #require(
      try Minimal.arrangement(
        """
        as: locked
        lanes: {back: {carrier: scheduler, width: 1, overtaking: on}}
        locks: {one: {kind: fair, hold: item}, two: {}}
        services: {gallery: {lock: one}, catalogue: {lock: two}}
        entry: {add: back}
        speedup: 1.5
        """, more: Self.reads))
    #expect(arrangement.lanes.last?.overtaking == true)
    #expect(
      arrangement.locks == [
        Lock(name: "one", kind: .fair, hold: .item), Lock(name: "two", kind: .barging),
      ])
    #expect(arrangement.placement == [.guarded(0), .guarded(1)])
    #expect(arrangement.entry == [1])
    #expect(arrangement.reading == .locked)
    #expect(arrangement.returning == .drained(budget: .milliseconds(2)))
    #expect(arrangement.speedup == 1.5)
  }

  @Test(arguments: [
    ("all", Admission.all),
    ("{batch: 10, every: 1 s}", .batch(10, every: .seconds(1))),
    ("{fitting: }", .fitting(.init())),
    (
      "{fitting: {estimate: exact, unit: step, look-ahead: off}}",
      .fitting(.init(estimate: .exact, unit: .step, lookAhead: false))
    ),
  ])
  func `items are admitted as said`(text: String, admission: Admission) throws {
    #expect(try Minimal.arrangement("as: mine\nadmission: \(text)")?.admission == admission)
  }

  @Test(arguments: [
    ("snapshot", Reading.snapshot(.perFrame)), ("{snapshot: per-step}", .snapshot(.perStep)),
    ("{snapshot: per-frame}", .snapshot(.perFrame)), ("direct", .direct), ("locked", .locked),
  ])
  func `the UI reads as said`(text: String, reading: Reading) throws {
    #expect(try Minimal.arrangement("as: mine\nreads: \(text)")?.reading == reading)
  }

  @Test(arguments: [
    ("in-place", Returning.inPlace), ("coalesced", .coalesced),
    ("{drain: 3 ms}", .drained(budget: .milliseconds(3))),
  ])
  func `results return as said`(text: String, returning: Returning) throws {
    #expect(try Minimal.arrangement("as: mine\nresults: \(text)")?.returning == returning)
  }
}
