import FrameBudget
import Testing

@testable import FrameBudgetSimulation

/// Events between threads and the cost of handing them over, drawn nanosecond by nanosecond.
@Suite struct QueueTimelineTests {
  private let pair: [Priority] = [.fair(nice: 0), .fair(nice: 0)]
  private let worker: [Operation] = [.wait(0), .run(2), .wait(0), .run(2)]

  @Test func `an event wakes the thread that waits for one`() {
    let rows = timeline(
      [[.run(2), .post(0), .run(3), .post(0)], worker], pair, cores: 2,
      queues: [VirtualQueue()], length: 12)
    #expect(
      rows == [
        "00000",
        "..11.11",
      ])
  }

  @Test func `events that come while the thread works are not lost`() {
    let rows = timeline(
      [[.run(1), .post(0), .post(0), .run(2)], worker], pair, cores: 2,
      queues: [VirtualQueue()], length: 12)
    #expect(
      rows == [
        "000",
        ".1111",
      ])
  }

  @Test func `the posting thread pays for a post, and more if it wakes a sleeping thread`() {
    let costs = HandOffCosts(
      post: .nanoseconds(1), wake: .nanoseconds(2), latency: .nanoseconds(4))
    let rows = timeline(
      [[.run(1), .post(0), .post(0), .run(1)], worker], pair, cores: 2,
      queues: [VirtualQueue(costs: costs)], length: 14)
    #expect(
      rows == [
        "000000",
        "........1111",
      ])
  }

  @Test func `a woken thread that finds no idle core waits for its turn without a latency`() {
    let costs = HandOffCosts(post: .nanoseconds(1), wake: .nanoseconds(2), latency: .nanoseconds(4))
    let rows = timeline(
      [[.sleep(1), .run(1), .post(0), .run(6)], [.wait(0), .run(2)]], pair,
      queues: [VirtualQueue(costs: costs)], length: 14)
    // The post takes from 2 to 5. At 6, the first thread has run for longer than the average and is no longer due.
    #expect(
      rows == [
        ".00000--00000",
        ".....-00",
      ])
  }

  @Test func `a hand-off begins after its post, and a slow core takes longer to post`() {
    let costs = HandOffCosts(post: .nanoseconds(1), wake: .nanoseconds(2), latency: .zero)
    let scripts: [[Operation]] = [
      [.run(1), .post(0, extra: .nanoseconds(1)), .run(1)], [.wait(0), .run(1)],
    ]
    let rows = timeline(
      scripts, pair, speeds: [500, 500], queues: [VirtualQueue(costs: costs)], length: 14)
    #expect(
      rows == [
        "000000000000",
        "..........11",
      ])
  }

  @Test func `a thread that is not woken notices an event at its next poll`() {
    let costs = HandOffCosts(
      post: .zero, wake: .zero, latency: .zero, pollInterval: .nanoseconds(4))
    // It looks at 2 and 6; it is through at 8, finds nothing, and looks again at 12.
    let queue = VirtualQueue(costs: costs, firstLook: Instant(nanoseconds: 2))
    let rows = timeline(
      [[.run(3), .post(0), .run(6), .post(0)], worker], pair, cores: 2, queues: [queue], length: 16)
    #expect(
      rows == [
        "000000000",
        "......11....11",
      ])
  }

  @Test func `a poll at the instant of the post sees it, and one poll sees all events`() {
    let costs = HandOffCosts(
      post: .zero, wake: .zero, latency: .zero, pollInterval: .nanoseconds(4))
    let queue = VirtualQueue(costs: costs, firstLook: Instant(nanoseconds: 2))
    let rows = timeline(
      [[.run(2), .post(0), .post(0)], worker], pair, cores: 2, queues: [queue], length: 16)
    #expect(
      rows == [
        "00",
        "..1111",
      ])
  }

  @Test func `several threads on one queue are served in the order in which they began to wait`() {
    let scripts: [[Operation]] = [
      [.run(1), .post(0), .run(1), .post(0), .run(1), .post(0)],
      [.wait(0), .run(4)], [.wait(0), .run(1), .wait(0), .run(1)],
    ]
    let rows = timeline(
      scripts, Array(repeating: .fair(nice: 0), count: 3), cores: 3, queues: [VirtualQueue()],
      length: 8)
    #expect(
      rows == [
        "000",
        ".1111",
        "..22",
      ])
  }

  @Test func `a thread counts as ready only while it could run and has no core`() {
    var machine = VirtualMachine(
      ScriptedThreads([[.run(2), .sleep(5), .run(4)], [.run(6)]]),
      threads: [.fixed(1), .fixed(2)], speeds: [1000], sharing: .slices(3))
    machine.advance(to: Instant(nanoseconds: 20))
    machine.updateAccounts()
    #expect(machine.threads.map(\.readyTime) == [.nanoseconds(6), .zero])
    #expect(machine.threads.map(\.cpu) == [.nanoseconds(6), .nanoseconds(6)])
  }
}
