import Dispatch
import FrameBudget
import Glibc
import SchedulableObjects
import Testing

@testable import RealTime

@Suite struct `A lock` {
  @Test(arguments: Lock.Kind.allCases)
  func `lets one thread in at a time`(_ kind: Lock.Kind) {
    let lock = kind.makeLock()
    let record = EventRecord()
    DispatchQueue.concurrentPerform(iterations: 4) { sender in
      for number in 0..<500 {
        lock.lock()
        record.ran(sender: sender, number: number)
        lock.unlock()
      }
    }
    #expect(record.count == 2000)
    #expect(record.collisions == 0)
  }

  @Test(arguments: Lock.Kind.allCases)
  func `cannot be tried while it is held`(_ kind: Lock.Kind) {
    let lock = kind.makeLock()
    #expect(lock.tryLock())
    let tried = Locked(true)
    let other = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      tried.withLock { $0 = lock.tryLock() }
      other.signal()
    }
    other.wait()
    #expect(tried.withLock { $0 } == false)
    lock.unlock()
    #expect(lock.tryLock())
    lock.unlock()
  }

  @Test func `that is fair goes to the waiter, not to a releaser that asks again at once`() {
    let lock = FairLock()
    let order = Locked<[String]>([])
    lock.lock()
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      lock.lock()
      order.withLock { $0.append("waiter") }
      lock.unlock()
      done.signal()
    }
    while lock.waiterCount == 0 { sched_yield() }
    lock.unlock()
    lock.lock()
    order.withLock { $0.append("releaser") }
    lock.unlock()
    done.wait()
    #expect(order.withLock { $0 } == ["waiter", "releaser"])
  }

  @Test func `of an item is kept over its steps, of a step is not`() {
    for (hold, isFree) in [(Lock.Hold.item, false), (.step, true)] {
      let arrangement = Arrangement(
        lanes: [.main], locks: [Lock(name: "all", kind: .fair, hold: hold)],
        placement: [.guarded(0)], entry: [.main], reading: .locked)
      let scenario = Scenario(
        name: "grip", display: Display(refresh: RefreshRate(60)), duration: .seconds(1),
        services: [Service(name: "files")],
        workloads: [Workload(name: "add", arrival: .once(1, start: .zero), steps: [])])
      let app = LiveApp(
        RunPlan(scenario, under: Strategy(name: "grip", arrangement: arrangement)))
      var grip = LockGrip(on: .main)
      var trace = ThreadTrace.off
      #expect(grip.take(0, of: app, &trace).blocked == .zero)
      grip.releaseAfterStep(app, &trace)
      #expect(app.locks[0].tryLock() == isFree)
      if isFree { app.locks[0].unlock() }
      grip.release(app, &trace)
      #expect(app.locks[0].tryLock())
    }
  }
}
