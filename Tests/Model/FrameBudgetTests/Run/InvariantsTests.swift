import FrameBudget
import Testing

/// Planted faults: each makes a run invalid, with a reason.
@Suite struct InvariantsTests {
  /// A run of three items that arrive at 0, 10 and 20 ms; `happen` decides their outcome.
  private func log(
    arrangement: Arrangement? = nil, interrupted: Bool = false,
    _ happen: (inout ItemLedger) -> Void
  ) -> RunLog {
    var run = TestRun([.at([0, 10, 20])], arrangement: arrangement)
    run.arriveAll()
    happen(&run.items)
    return run.finish(interrupted: interrupted)
  }

  private func expectInvalid(
    _ log: RunLog, _ sentences: String..., at location: SourceLocation = #_sourceLocation
  ) {
    #expect(log.status == .invalid, sourceLocation: location)
    #expect(log.violations == sentences, sourceLocation: location)
  }

  @Test(arguments: [false, true]) func `a run whose items and frames add up is valid`(
    interrupted: Bool
  ) {
    let log = log(interrupted: interrupted) { items in
      items.done(0, 0, at: .ms(5))
      items.pending(0, 2)
      items.cancelled(0, 1)
    }
    #expect(log.violations == [])
    #expect(log.status == (interrupted ? .interrupted : .complete))
    #expect(log.items[0].doneCount == 1 && log.items[0].pendingCount == 1)
    #expect(log.items[0].cancelledCount == 1)
  }

  @Test func `a lost item makes the run invalid`() {
    let log = log(interrupted: true) { items in
      items.done(0, 0, at: .ms(5))
      items.pending(0, 2)
    }
    expectInvalid(log, "file: 3 items arrived, but 2 are accounted for")
  }

  @Test func `an item done twice makes the run invalid`() {
    let log = log { items in
      for item in [0, 1, 1, 2] { items.done(0, item, at: .ms(30)) }
    }
    expectInvalid(log, "file: 1 items done twice, counted twice or not arrived")
    #expect(log.items[0].doneCount == 3)
  }

  @Test func `an item both done and pending makes the run invalid`() {
    let log = log { items in
      for item in 0..<3 { items.done(0, item, at: .ms(30)) }
      items.pending(0, 2)
    }
    expectInvalid(log, "file: 1 items done twice, counted twice or not arrived")
  }

  @Test func `an item counted twice does not compensate for a lost one`() {
    let log = log { items in
      items.done(0, 0, at: .ms(5))
      items.pending(0, 2)
      items.pending(0, 2)
    }
    expectInvalid(
      log, "file: 3 items arrived, but 2 are accounted for",
      "file: 1 items done twice, counted twice or not arrived")
  }

  @Test func `an item that never arrived makes the run invalid`() {
    let log = log { items in
      for item in 0..<4 { items.done(0, item, at: .ms(30)) }
    }
    expectInvalid(log, "file: 1 items done twice, counted twice or not arrived")
  }

  @Test func `an item done before it arrived makes the run invalid`() {
    let log = log { items in
      for item in 0..<3 { items.done(0, item, at: .ms(15)) }
    }
    expectInvalid(log, "file: 1 items done before they arrived")
  }

  private func swapped(_ items: inout ItemLedger) {
    for item in [1, 0, 2] { items.done(0, item, at: .ms(30)) }
  }

  @Test func `a broken order makes the run invalid if order is guaranteed`() {
    expectInvalid(log(swapped), "file: 1 items done out of order")
  }

  @Test func `a broken order is only counted if no order is guaranteed`() {
    let locked = Arrangement(
      lanes: [.main, Lane(name: "pool", carrier: .thread, width: 4)],
      locks: [Lock(name: "all", kind: .fair)], placement: [.guarded(0), .guarded(0)], entry: [1])
    let log = log(arrangement: locked, swapped)
    #expect(log.status == .complete && log.violations.isEmpty)
    #expect(log.items[0].orderViolations == 1)
  }

  @Test(arguments: [
    ([0, 1, 2, 3], 0), ([3, 0, 1, 2], 3), ([1, 0, 3, 2], 2), ([3, 2, 1, 0], 3), ([0, 3, 1, 2], 2),
  ])
  func `an item done after a later one is out of order`(order: [Int], violations: Int) {
    var run = TestRun([.at([0, 0, 0, 0])])
    run.arriveAll()
    for item in order { run.items.done(0, item, at: .ms(9)) }
    #expect(run.finish().items[0].orderViolations == violations)
  }

  @Test func `workloads do not order one another`() {
    var run = TestRun([.at([0], name: "a"), .at([1], name: "b")])
    run.arriveAll()
    run.items.done(1, 0, at: .ms(2))
    run.items.done(0, 0, at: .ms(3))
    #expect(run.finish().status == .complete)
  }

  @Test func `two threads inside one service make the run invalid`() {
    var run = TestRun()
    run.totals.exclusionViolations = 2
    expectInvalid(run.finish(), "two threads were inside one service 2 times")
  }

  @Test func `negative time in a phase makes the run invalid even if the sum is positive`() {
    var run = TestRun()
    run.frames.frame(0, to: .ms(1), at: run.rate, [(.drain, .ms(-1)), (.render, .ms(2))])
    run.frames.frame(1, to: .ms(12), at: run.rate, [(.drain, .ms(2))])
    for vsync in 2..<100 { run.frames.frame(vsync, to: run.rate.vsync(vsync), at: run.rate) }
    expectInvalid(run.finish(), "negative time in drain")
  }

  /// Only a real clock may pass the last vsync between the choice of a frame and its start.
  @Test(arguments: [false, true])
  func `a frame that begins at the last vsync makes a run in virtual time invalid`(
    realClock: Bool
  ) {
    var run = TestRun(duration: .ms(55), realClock: realClock)
    for vsync in 0..<4 { run.frames.frame(vsync, to: run.rate.vsync(vsync), at: run.rate) }
    run.frames.frame(4, late: .ms(10), to: .ms(52), at: run.rate)
    let log = run.finish()
    #expect(
      log.violations == (realClock ? [] : ["1 frames began at the run's last vsync or later"]))
  }

  @Test func `a frame that ends before it begins makes the run invalid`() {
    var run = TestRun()
    run.frames.frame(0, to: .ms(-1), at: run.rate)
    for vsync in 1..<100 { run.frames.frame(vsync, to: run.rate.vsync(vsync), at: run.rate) }
    expectInvalid(run.finish(), "a frame of negative length")
  }

  @Test func `items that arrive out of order trap`() async {
    await #expect(processExitsWith: .failure) {
      var run = TestRun([.at([0, 10])])
      run.arriveAll()
      run.arriveAll()
    }
  }
}
