import TestSupport
import Testing

@testable import OrderedDelivery

@Suite struct `A short lock` {
  @Test(arguments: LockKind.allCases)
  func `lets one thread in at a time`(_ kind: LockKind) async {
    let (total, overlaps) = await onOwnThread {
      let (total, overlaps) = (Guarded(0, by: kind), Overlaps())
      fromThreads(4) { _ in
        for _ in 0..<5000 { total.withLock { sum in overlaps.enter { sum += 1 } } }
      }
      return (total.withLock { $0 }, overlaps)
    }
    #expect(total == 20_000)
    #expect(overlaps.maximum == 1)
  }

  @Test func `that is recursive is held until it has been released as often as acquired`() async {
    let order = await onOwnThread {
      let (lock, order, asked) = (LockKind.recursive.makeLock(), Recorder<String>(), Gate())
      lock.lock()
      lock.lock()
      let other = Gate()
      ConcurrentScheduler(name: "other", width: 1).perform {
        asked.open()
        lock.lock()
        order.add("other")
        lock.unlock()
        other.open()
      }
      asked.wait()
      lock.unlock()
      order.add("holder")
      lock.unlock()
      other.wait()
      return order
    }
    #expect(order.all == ["holder", "other"])
  }
}
