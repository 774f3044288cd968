import FrameBudget
import Testing

@Suite struct ItemLedgerTests {
  @Test func `a log holds arrivals and completions by item`() {
    var run = TestRun([.at([0, 10, 20])])
    run.arriveAll()
    run.items.done(0, 0, at: .ms(7))
    run.items.done(0, 1, at: .ms(19))
    run.items.pending(0, 2)
    let log = run.finish().items[0]
    #expect(log.workload == "file" && log.respondWithin == nil)
    #expect(Array(log.arrivals) == [0, 10_000_000, 20_000_000])
    #expect(log.completions.prefix(2) == [7_000_000, 19_000_000] && log.completions[2] < 0)
    #expect(log.responses == [-1, -1, -1], "no frame has shown them")
  }

  @Test func `a response is shown by the frame in which its result ran`() {
    var run = TestRun([.at([0, 10, 20], respondWithin: .ms(100))])
    run.arriveAll()
    run.items.resultRan(0, 0)
    run.items.resultRan(0, 1)
    run.items.frameShown(at: .ms(30))
    run.items.frameShown(at: .ms(40))
    run.items.resultRan(0, 2)
    let log = run.finish().items[0]
    #expect(log.responses.prefix(2) == [30_000_000, 30_000_000])
    #expect(log.responses[2] < 0, "its frame was never shown")
  }

  @Test func `the time when a result was shown is known even if no user waits for it`() {
    var run = TestRun([.at([0], name: "quiet"), .at([0], respondWithin: .ms(1), name: "awaited")])
    run.arriveAll()
    run.items.resultRan(0, 0)
    run.items.resultRan(1, 0)
    run.items.frameShown(at: .ms(10))
    let log = run.finish()
    #expect(log.items.map(\.responses) == [[10_000_000], [10_000_000]])
    #expect(log.items.map(\.respondWithin) == [nil, .ms(1)])
  }
}
