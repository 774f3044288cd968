import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

/// The behaviour of the machine is not tested, because machines differ; the interpretation of observations is.
@Suite struct `Turns on a core` {
  /// Two threads, each of which runs for 3 µs while the other waits, with switches of 100 ns.
  private static let fair = TimeSlices(of: [
    [0..<3000, 6200..<9200, 12_400..<15_400], [3100..<6100, 9300..<12_300, 15_500..<18_500],
  ])

  @Test func `last until the other thread runs`() {
    #expect(Self.fair.slices == [3000, 3000, 3000, 3000])
    #expect(Self.fair.slice == .microseconds(3))
  }

  @Test func `are separated by a switch`() {
    #expect(Self.fair.switches == [100, 100, 100, 100, 100])
    #expect(Self.fair.contextSwitch == .nanoseconds(100))
  }

  @Test
  func `exclude gaps in which the other thread did not run`() {
    let turns = TimeSlices(of: [
      [0..<1000, 5000..<6000, 6500..<8000, 12_000..<13_000], [1000..<5000, 8000..<12_000],
    ])
    // From 6000 to 6500 neither ran: an interrupt, or the hypervisor.
    #expect(turns.slices == [4000, 2500, 4000])
  }

  @Test func `are not estimated from cut-off ones, or from too few`() {
    #expect(TimeSlices(of: []).slice == nil)
    #expect(TimeSlices(of: [[0..<10], []]).slices == [])
    #expect(TimeSlices(of: [[0..<10], [10..<20]]).slices == [])
    let three = TimeSlices(of: [[0..<10, 20..<30], [10..<20]])
    #expect(three.slices == [10] && three.slice == nil && three.contextSwitch == nil)
  }

  @Test func `are observed by a thread that reads the clock, as one without long gaps`() {
    let seen = TimeSlices.seen(until: 0, gap: .max)
    #expect(seen.count == 1 && seen.allSatisfy { $0.lowerBound <= $0.upperBound })
  }
}

@Suite struct `The place of a wake-up` {
  @Test func `is an idle core if it is not the waker's`() throws {
    let wakeUps = [(1, 40), (1, 60), (0, 3000), (2, 50)].map {
      WakeUp(waker: 0, woken: $0.0, nanoseconds: $0.1)
    }
    let found = try #require(WakeUp.placement(of: wakeUps))
    #expect(found.percent == 75)
    #expect(found.latency == .nanoseconds(50))
  }

  @Test func `is unknown without samples, and has no latency if all stayed on the waker's core`()
    throws
  {
    #expect(WakeUp.placement(of: []) == nil)
    let stayed = try #require(
      WakeUp.placement(of: [WakeUp(waker: 3, woken: 3, nanoseconds: 9)]))
    #expect(stayed.percent == 0 && stayed.latency == nil)
  }

  @Test func `is recorded for each sample`() async throws {
    let cores = HostFacts.nameableCores
    let wakeUps = try await onOwnThread { try WakeProbe(samples: 5, cores: cores).run() }
    #expect(wakeUps.count == 5)
    #expect(wakeUps.allSatisfy { $0.waker == cores[0] && cores.contains($0.woken) })
    #expect(wakeUps.allSatisfy { $0.nanoseconds > 0 })
  }
}

@Suite(.serialized) struct `The benchmark of the machine` {
  @Test func `finds the cores, and other values only within their ranges`() async throws {
    let found = try await onOwnThread {
      try MachineBench(span: .milliseconds(60), wakeUps: 3).run()
    }
    #expect(found.calibration.cores == HostFacts.usableCores)
    #expect(found.calibration.slice.map(Machine.slices.contains) ?? true)
    #expect(found.contextSwitch.map { $0 >= .zero } ?? true)
    let several = HostFacts.nameableCores.count > 1
    #expect((found.calibration.wakesOnIdle != nil) == several)
  }
}
