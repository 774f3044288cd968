import FrameBudget
import TestSupport
import Testing

/// Tests of `ScreenOracle`: it gives the answers calculated by hand, keeps all invariants, and a mistake in it
/// would be noticed.
@Suite struct ScreenOracleTests {
  @Test(arguments: ScreenAnswer.all)
  func `each answer worked out by hand comes out`(_ answer: ScreenAnswer) {
    let outcome = ScreenOracle.run(answer.drawn)
    #expect(answer.differences(outcome).isEmpty)
    #expect(outcome.violations(of: answer.drawn).isEmpty)
  }

  @Test(arguments: Tries.screenOracles.parts)
  func `every random case keeps the invariants`(seeds: Range<UInt64>) {
    for seed in seeds {
      let drawn = ScreenCase.random(seed: seed)
      let broken = ScreenOracle.run(drawn).violations(of: drawn)
      #expect(broken.isEmpty, "seed \(seed): \(broken.joined(separator: "; "))\n\(drawn.yaml)")
    }
  }

  @Test(arguments: ScreenFault.allCases)
  func `a fault shows in what an engine's log says`(_ fault: ScreenFault) {
    let seen = (UInt64(0)..<4000).first { Self.shows(fault, in: .random(seed: $0)) }
    #expect(seen != nil)
  }

  private static func shows(_ fault: ScreenFault, in drawn: ScreenCase) -> Bool {
    ScreenOracle.run(drawn).visible(of: drawn, fault: nil)
      != ScreenOracle.run(drawn, fault: fault).visible(of: drawn, fault: fault)
  }

  @Test func `a failing case is shrunk while it shows the fault`() throws {
    let shows = { (drawn: ScreenCase) in Self.shows(.joinDoesNotWait, in: drawn) }
    let drawn = try #require(
      (UInt64(0)..<1000).lazy.map(ScreenCase.random(seed:)).first(where: shows))
    let smallest = drawn.smallest(where: shows)
    #expect(shows(smallest))
    #expect(smallest.workloads.map(\.arrivals.count) == [1])
    #expect(smallest.workloads.map(\.steps.count) == [2])
  }

  /// The vsync k can only be charged to missing buffers if none was free at k - d. All frames in flight then are shown by
  /// k: later ones would be the frame shown next, and k their own. That is at most d, and none at k itself: d - 1.
  @Test func `with as many buffers as deadline periods, no vsync is dropped for want of a buffer`()
  {
    for seed in UInt64(0)..<400 {
      #expect(ScreenOracle.run(.random(seed: seed)).drops(by: .stuffed) == 0, "seed \(seed)")
    }
  }

  /// The [block](../../../../Documentation/Models/Screen.md#a-block-of-30-ms) of one period and one buffer, a period later.
  @Test func `frames that are shown later have a longer deadline, and as many more buffers`() {
    var drawn = ScreenCase(duration: 20 * 1_000_000_000 / 60)
    drawn.workloads = [.init(arrivals: [drawn.instant(10)], steps: [.init(cost: 30_000_000)])]
    drawn.later = 1
    let answer = ScreenAnswer(
      name: "a period later", drawn: drawn, dropped: [12, 14], shown: [9: 11, 10: 13, 13: 15])
    #expect(answer.differences(ScreenOracle.run(drawn)) == [])
  }

  /// The test is only as good as the variety of the generated cases.
  @Test func `the random cases cover all options`() {
    let cases = (UInt64(0)..<400).map(ScreenCase.random(seed:))
    let outcomes = cases.map { ScreenOracle.run($0) }
    #expect(Set(cases.map(\.deadline)) == [1, 2, 3, 4])
    #expect(Set(cases.map(\.later)) == [0, 1, 2, 3])
    #expect(cases.contains { $0.later > 0 && $0.loop == .frame && $0.compositor != nil })
    #expect(cases.contains { $0.later > 0 && $0.isOnDemand && !$0.parts.isEmpty })
    for loop in [ScreenCase.Loop.events, .fifo, .alternate] {
      for isQueued in [true, false] {
        #expect(cases.contains { $0.loop == loop && $0.isQueued == isQueued })
      }
    }
    for loop in [ScreenCase.Loop.frame, .events, .fifo, .alternate] {
      for hasStage in [true, false] {
        #expect(cases.contains { $0.loop == loop && ($0.compositor != nil) == hasStage })
      }
    }
    #expect(cases.contains { $0.isOnDemand && $0.frameTime == .posted })
    #expect(cases.contains { $0.yield?.resumesFirst == true })
    #expect(cases.contains { $0.loop != .frame && $0.workloads.contains(where: \.isTimer) })
    #expect(cases.contains { $0.yield.map { $0.every != nil && !$0.resumesFirst } ?? false })
    let deferring = cases.filter { $0.deferral != nil && $0.workloads.contains(where: \.isInput) }
    #expect(deferring.contains { $0.isOnDemand && $0.yield?.resumesFirst == true })
    #expect(deferring.contains { $0.workloads.contains { !$0.isInput } && $0.parts.isEmpty })
    #expect(deferring.contains { $0.parts.contains { $0.early > 0 } })
    #expect(cases.contains { $0.workloads.contains { $0.steps.contains { $0.joins } } })
    let steps = cases.flatMap { $0.workloads.flatMap(\.steps) }
    #expect(steps.contains { $0.suspension != nil && $0.isFork })
    #expect(steps.contains { $0.suspension?.resource != nil })
    #expect(cases.contains { !$0.widths.isEmpty })
    #expect(cases.contains { $0.parts.count > 1 && $0.loop == .frame })
    #expect(cases.contains { $0.parts.count > 1 && $0.loop != .frame })
    #expect(cases.contains { $0.isOnDemand && $0.parts.contains { $0.early > 1 } })
    for isOfFrames in [true, false] {
      #expect(
        cases.contains { drawn in
          (drawn.loop == .frame) == isOfFrames
            && drawn.parts.contains { (1..<100).contains($0.hits) }
        })
      #expect(
        cases.contains { drawn in
          (drawn.loop == .frame) == isOfFrames && drawn.parts.contains { $0.budget != nil }
        })
    }
    #expect(cases.contains { $0.isOnDemand && $0.parts.contains { $0.budget != nil } })
    #expect(outcomes.contains { $0.frames.contains(where: \.isIncomplete) })
    #expect(
      cases.contains { $0.isOnDemand && $0.parts.contains { $0.lane != nil && $0.early > 1 } })
    #expect(cases.contains { $0.parts.contains { $0.lane != nil && $0.early == 0 } })
    for isExact in [true, false] {
      for isOfFrames in [true, false] {
        #expect(
          cases.contains { drawn in
            (drawn.loop == .frame) == isOfFrames
              && drawn.parts.contains { $0.early > 1 && $0.isExact == isExact }
          })
      }
    }
    #expect(cases.count { $0.lastVsync <= 40 } > 200)
    #expect(outcomes.contains { $0.stuffed > 0 } && outcomes.contains { $0.missed > 0 })
    #expect(outcomes.count { $0.isAmbiguous } < 40)
    for cause in ScreenOutcome.Cause.allCases where ![.wakeup, .stuffed].contains(cause) {
      #expect(outcomes.contains { $0.drops(by: cause) > 0 }, "\(cause)")
    }
  }

  @Test func `a case can be written as a scenario file`() {
    var drawn = ScreenCase(
      duration: 1_000_000_000, deadline: 2, buffers: 3, compositor: 3_500_000, isOnDemand: true,
      loop: .fifo, isQueued: true, frameTime: .posted, yield: .init(every: 5_000_000),
      drain: 5_000_000, lanes: 1)
    drawn.later = 1
    drawn.requests = [99_000_000]
    drawn.reads = [.init(lane: 1, cost: 20_001)]
    drawn.workloads = [
      .init(
        arrivals: [0, 1_000_001],
        steps: [
          .init(lane: 1, cost: 2_600_000, isFork: true), .init(cost: 1_000_000, joins: true),
        ], result: 50_000, draws: true)
    ]
    #expect(
      drawn.yaml == """
        scenario: screen
        display:
          refresh: 60 Hz
          render: 10 ms
          deadline: 2
          buffers: 3
          compositor: 3.5 ms
          frames: {on-demand: [99 ms]}
          main-loop: {events: fifo, batch: queued}
          frame-time: posted
        duration: 1000 ms
        machine: {cores: 3}
        services: {main: {}, service-1: {}}
        workloads:
          - name: items-0
            arrival: {at: [0 ms, 1.000001 ms]}
            steps:
              - {service: service-1, cpu: 2.6 ms, await: false}
              - {service: main, cpu: 1 ms, join: true}
            result: {cpu: 0.05 ms}
            draws: true
        ui: {reads: [{service: service-1, cpu: 0.020001 ms}]}
        strategies:
          - as: drawn
            lanes: {lane-1: {carrier: scheduler}}
            services: {service-1: lane-1}
            reads: {snapshot: per-step}
            results: {drain: 5 ms}
            present: {later: 1}
            yield: {every: 5 ms, resumes: in-turn}

        """)
  }
}
