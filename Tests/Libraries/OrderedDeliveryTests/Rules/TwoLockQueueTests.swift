import TestSupport
import Testing

@testable import OrderedDelivery

@Suite struct `A waiting line` {
  private func line(_ numbers: Range<Int> = 0..<0, takers: Int = 1) -> TwoLockQueue<Int> {
    let line = TwoLockQueue<Int>(maxConsumers: takers, lock: .mutex)
    for number in numbers { _ = line.add(number) }
    return line
  }

  @Test func `keeps the order across its two ends`() {
    let line = line(0..<3)
    #expect(line.next() == 0)
    for number in 3..<5 { _ = line.add(number) }
    #expect((0..<4).map { _ in line.next() } == [1, 2, 3, 4])
    #expect(line.next() == nil)
  }

  @Test func `requests at most the maximum number of takers, under its lock`() {
    let (line, expected) = (line(takers: 2), Recorder<Int>())
    let asked = (0..<4).map { number in line.add(number) { expected.add(number) } }
    #expect(asked == [true, true, false, false])
    #expect(expected.all == [0, 1])
  }

  @Test func `requests a taker again after one found it empty`() {
    let line = line(0..<1)
    #expect(line.next() == 0)
    #expect(!line.add(1))
    #expect(line.next() == 1 && line.next() == nil)
    #expect(line.add(2))
  }

  @Test func `puts an element that a taker returns behind all others`() {
    let line = line(0..<3)
    #expect(line.next() == 0)
    #expect(line.next(leaving: 0) == 1)
    _ = line.add(3)
    #expect(line.next(leaving: 1) == 2)
    #expect((0..<3).map { _ in line.next() } == [0, 3, 1])
  }

  @Test func `gives a returned element back at once if it is the only one`() {
    let line = line(0..<1)
    #expect(line.next() == 0)
    #expect(line.next(leaving: 0) == 0)
    #expect(!line.add(1))
  }

  @Test func `keeps a taker while elements wait, and no longer`() {
    let line = line(0..<2)
    #expect(line.nextOfBatch() == nil)
    #expect(line.gather() == 2)
    _ = line.add(2)
    #expect(line.gather() == 3)
    #expect((0..<3).map { _ in line.nextOfBatch() } == [0, 1, 2])
    #expect(!line.retainConsumer())
    #expect(line.add(3) && line.retainConsumer())
  }

  @Test func `returns the waiting elements of both ends when it is closed, and accepts no more`() {
    let line = line(0..<2)
    #expect(line.next() == 0)
    _ = line.add(2)
    #expect(line.close().flatMap(Array.init) == [1, 2])
    #expect(line.isClosed && !line.add(3))
    #expect(line.next() == nil && line.close().flatMap(Array.init) == [])
  }

  @Test func `loses and duplicates no element with several takers`() async {
    let taken = await onOwnThread {
      let (line, taken) = (TwoLockQueue<Int>(maxConsumers: 4, lock: .spin), Recorder<Int>())
      fromThreads(4) { thread in
        if thread < 2 {
          for number in 0..<5000 { _ = line.add(10_000 * thread + number) }
        } else {
          while taken.count < 10_000 { if let number = line.next() { taken.add(number) } }
        }
      }
      return taken.all
    }
    #expect(taken.sorted() == Array(0..<5000) + Array(10_000..<15_000))
  }
}
