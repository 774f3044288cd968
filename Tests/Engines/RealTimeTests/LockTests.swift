import CFrameBudgetLinux
import SchedulableThreads
import Dispatch
import Foundation
import FrameBudget
import Glibc
import Testing

@testable import FrameBudgetRealTime

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

  @Test func `that is fair goes to the waiter, not to a releaser that reacquires it at once`() {
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

  @Test(arguments: Lock.Kind.allCases)
  func `is not acquired by a waiter that times out, and stays usable`(_ kind: Lock.Kind) {
    let lock = kind.makeLock()
    lock.lock()
    let looks = Locked(0)
    let done = DispatchSemaphore(value: 0)
    onNewThread {
      let isTaken = lock.lock {
        let count = looks.withLock { looks -> Int in
          looks += 1
          return looks
        }
        return count <= 3 ? .milliseconds(1) : nil
      }
      #expect(!isTaken)
      done.signal()
    }
    done.wait()
    #expect(looks.withLock { $0 } == 4)
    lock.unlock()
    #expect(lock.tryLock())
    lock.unlock()
  }

  @Test(arguments: Lock.Kind.allCases)
  func `is acquired by a waiter that waits long enough`(_ kind: Lock.Kind) {
    let lock = kind.makeLock()
    lock.lock()
    let looks = Locked(0)
    let done = DispatchSemaphore(value: 0)
    onNewThread {
      let isTaken = lock.lock {
        looks.withLock { $0 += 1 }
        return .milliseconds(1)
      }
      #expect(isTaken)
      lock.unlock()
      done.signal()
    }
    while looks.withLock({ $0 }) < 3 { sched_yield() }
    lock.unlock()
    done.wait()
    #expect(lock.tryLock())
    lock.unlock()
  }

  /// Otherwise a step of the wall clock would end the wait, or make it an hour. The kernel shows by which clock a thread
  /// sleeps.
  @Test(
    .enabled(if: SleepingThread.canBeSeen), arguments: Lock.Kind.allCases)
  func `has timeouts that do not depend on the system's date`(_ kind: Lock.Kind) throws {
    let lock = kind.makeLock()
    lock.lock()
    let thread = Locked<Int32>(0)
    let isOver = Locked(false)
    let done = DispatchSemaphore(value: 0)
    onNewThread {
      thread.withLock { $0 = clinux_thread_id() }
      let isTaken = lock.lock { isOver.withLock { $0 } ? nil : .milliseconds(200) }
      #expect(!isTaken)
      done.signal()
    }
    while thread.withLock({ $0 }) == 0 { sched_yield() }
    let sleep = try #require(SleepingThread(id: thread.withLock { $0 }).futexOperation())
    isOver.withLock { $0 = true }
    done.wait()
    lock.unlock()
    #expect(!SleepingThread.isByWallClock(sleep), "futex operation \(sleep)")
  }

  @Test func `that is fair keeps its order after a waiter times out`() {
    let lock = FairLock()
    let order = Locked<[Int]>([])
    let isImpatient = Locked(false)
    let done = DispatchSemaphore(value: 0)
    lock.lock()
    for number in 0..<4 {
      onNewThread {
        let isTaken = lock.lock {
          number == 1 && isImpatient.withLock { $0 } ? nil : .milliseconds(1)
        }
        if isTaken {
          order.withLock { $0.append(number) }
          lock.unlock()
        }
        done.signal()
      }
      while lock.waiterCount == number { sched_yield() }
    }
    isImpatient.withLock { $0 = true }
    while lock.waiterCount == 4 { sched_yield() }
    lock.unlock()
    for _ in 0..<4 { done.wait() }
    #expect(order.withLock { $0 } == [0, 2, 3])
    #expect(lock.waiterCount == 0)
    #expect(lock.tryLock())
    lock.unlock()
  }

  /// A waiter times out at the very moment at which the lock is handed over: either it or the next waiter gets the lock.
  @Test func `that is fair survives a timeout during a release`() {
    let lock = FairLock()
    let taken = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<500 {
        var looks = 0
        let isTaken = lock.lock {
          looks += 1
          return looks == 1 ? .microseconds(20) : nil
        }
        if isTaken {
          taken.withLock { $0 += 1 }
          lock.unlock()
        }
      }
    }
    #expect(taken.withLock { $0 } > 0)
    #expect(lock.waiterCount == 0)
    #expect(lock.tryLock())
    lock.unlock()
  }

  @Test func `of an item is kept over its steps, as a nested one is, of a step is not`() {
    for (hold, isFree) in [(Lock.Hold.item, false), (.nested, false), (.step, true)] {
      let arrangement = Arrangement(
        lanes: [.main], locks: [Lock(name: "all", kind: .fair, hold: hold)],
        placement: [.guarded(0)], entry: [.main], reading: .locked)
      let scenario = Scenario(
        name: "grip", display: Display(refresh: RefreshRate(60)), duration: .seconds(1),
        services: [Service(name: "files")],
        workloads: [Workload(name: "add", arrival: .once(1, start: .zero), steps: [])])
      let app = LiveApp(
        RunPlan(scenario, under: Strategy(name: "grip", arrangement: arrangement)))
      var grip = ItemLocks(on: .main)
      var trace = ThreadTrace.off
      #expect(grip.take(0, for: hold, of: app, &trace).blocked == .zero)
      grip.endStep(hold, app, &trace)
      #expect(app.locks[0].tryLock() == isFree)
      if isFree { app.locks[0].unlock() }
      grip.release(app, &trace)
      #expect(app.locks[0].tryLock())
    }
  }
}

/// Not on a dispatch thread: there are only as many as processors, and a waiting one would block its own.
private func onNewThread(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }
