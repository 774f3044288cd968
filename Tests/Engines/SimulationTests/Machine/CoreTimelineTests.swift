import FrameBudget
import Testing

@testable import FrameBudgetSimulation

/// The threads on each core, drawn nanosecond by nanosecond.
@Suite struct CoreTimelineTests {
  private let even: [Priority] = [.fair(nice: 0), .fair(nice: 0), .fair(nice: 0)]

  @Test func `two equal threads take turns slice by slice`() {
    let rows = timeline([[.run(7)], [.run(5)]], Array(even.prefix(2)), length: 14)
    #expect(
      rows == [
        "000---000--0",
        "---000---00",
      ])
  }

  @Test func `three equal threads share two cores`() {
    let rows = timeline([[.run(6)], [.run(6)], [.run(6)]], even, cores: 2, length: 12)
    #expect(
      rows == [
        "000---111",
        "111111",
        "---000000",
      ])
  }

  @Test func `a thread of nice 5 gets a third of what one of nice 0 gets`() {
    // Linux's weights are 1024 and 335: 3.06 to 1.
    var machine = VirtualMachine(
      ScriptedThreads([[.run(1_000_000)], [.run(1_000_000)]]),
      threads: [.fair(nice: 0), .fair(nice: 5)], speeds: [1000], sharing: .slices(10))
    machine.advance(to: Instant(nanoseconds: 1_000_000))
    machine.updateAccounts()
    let (main, other) = (machine.threads[0].cpu, machine.threads[1].cpu)
    #expect(main + other == .nanoseconds(1_000_000))
    #expect((753_400...753_600).contains(main.nanoseconds))
  }

  @Test func `a thread that wakes takes the core of one that has had more`() {
    let rows = timeline(
      [[.run(9)], [.sleep(4), .run(2)]], Array(even.prefix(2)),
      sharing: .slices(3), length: 12)
    #expect(
      rows == [
        "0000--00000",
        "---.00",
      ])
  }

  @Test func `a long sleep earns no more than the next turn`() {
    let rows = timeline(
      [[.run(20)], [.sleep(9), .run(9)]], Array(even.prefix(2)),
      sharing: .slices(3), length: 30)
    #expect(
      rows == [
        "000000000---000---000---00000",
        "---......000---000---000",
      ])
  }

  @Test func `a higher fixed priority takes the core at once and keeps it`() {
    let rows = timeline(
      [[.run(6)], [.sleep(2), .run(5)]], [.fixed(1), .fixed(2)], length: 14)
    #expect(
      rows == [
        "00-----0000",
        "..00000",
      ])
  }

  @Test func `equal fixed priorities run one after the other, first come first`() {
    let rows = timeline(
      [[.run(4)], [.run(4)], [.sleep(1), .run(2)]], [.fixed(1), .fixed(1), .fixed(2)], length: 12)
    #expect(
      rows == [
        "0--000",
        "------0000",
        ".00",
      ])
  }

  @Test func `a fixed priority goes before any fair thread, on whichever core is weakest`() {
    let rows = timeline(
      [[.run(5)], [.run(5)], [.sleep(2), .run(3)]],
      [.fixed(1), .fair(nice: -20), .fixed(2)], cores: 2, length: 12)
    #expect(
      rows == [
        "00000",
        "11---000",
        "..111",
      ])
  }

  @Test func `a slower core takes longer, and the fastest idle one is taken first`() {
    let rows = timeline(
      [[.run(3)], [.run(3)], [.sleep(4), .run(3)]], even, speeds: [500, 1000], length: 12)
    #expect(
      rows == [
        "111",
        "000000",
        "---.111",
      ])
  }

  @Test(arguments: [1000, 500, 250, 2000, 333, 750])
  func `the duration of work is proportional to the slowness of its core`(speed: Int) {
    var machine = VirtualMachine(
      ScriptedThreads([[.run(1_000_003), .run(1), .run(999)]]), threads: [.fair(nice: 0)],
      speeds: [speed], sharing: .slices(100))
    machine.advance(to: Instant(nanoseconds: 1_000_000_000))
    let spans = [1_000_003, 1, 999].map { (Int64($0) * 1000 + Int64(speed) - 1) / Int64(speed) }
    #expect(machine.program.end(of: 0) == Instant(nanoseconds: spans.reduce(0, +)))
  }

  @Test func `work is not lost or gained when a thread moves between cores of two speeds`() {
    let rows = timeline(
      [[.run(4)], [.run(4)], [.sleep(1), .run(4)]],
      [.fixed(1), .fixed(2), .fixed(3)], speeds: [1000, 500], length: 16)
    // The lowest thread does 1 ns on the full core, waits, and does its other 3 ns there.
    #expect(
      rows == [
        "0----000",
        "11111111",
        ".0000",
      ])
  }

  @Test func `a switch to another thread costs time, to the same one it does not`() {
    let rows = timeline(
      [[.run(3), .sleep(8), .run(2)], [.run(2)]], Array(even.prefix(2)), contextSwitch: 1,
      length: 14)
    #expect(
      rows == [
        "000.....000",
        "---000",
      ])
    let alone = timeline(
      [[.run(3), .sleep(8), .run(2)]], [.fair(nice: 0)], contextSwitch: 1, length: 14)
    #expect(alone == ["000.....00"])
  }
}
