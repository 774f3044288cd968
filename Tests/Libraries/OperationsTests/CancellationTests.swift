import Dispatch
import Foundation
import TestSupport
import Testing

@testable import SchedulableOperations

@Suite struct CancellationTests {
  @Test func `cancelling pending work finishes it`() async {
    let (work, started) = pending("stuck")
    queue().addOperation(work)
    #expect(await started.arrives())
    work.cancel()
    #expect(await finished(work))
    #expect(work.error as? WorkError == .cancelled)
  }

  @Test func `cancelling before the start finishes the work, and it never starts`() async {
    let (first, started) = pending("first")
    let tally = Recorder<String>()
    let waiting = Work<Int>(
      "waiting",
      returning: {
        tally.add("began"); return 1
      })
    waiting.addDependency(first)
    queue().add([first, waiting])
    #expect(await started.arrives())
    waiting.cancel()
    #expect(await finished(waiting))
    #expect(tally.all.isEmpty && !first.isFinished)
    first.end(with: .success(1))
  }

  /// Only cancellation ends the work, so a missed cancellation hangs the test.
  @Test func `cancelling at any moment of the start finishes the work`() async {
    for _ in 0..<300 {
      let (work, _) = pending("raced")
      let queue = queue()
      DispatchQueue.global().async { work.cancel() }
      queue.addOperation(work)
      guard await finished(work) else {
        Issue.record("never finished")
        return
      }
    }
  }

  /// Between the check before the start and the start itself, in which an observer runs.
  @Test func `cancelling at the start finishes the work`() async {
    let (work, _) = pending("late")
    work.add(WorkObserver(began: { $0.cancel() }))
    queue().addOperation(work)
    #expect(await finished(work))
  }

  @Test func `cancelled work on a worker finishes only when it returns`() async {
    let (started, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let work = Work<Int>(
      "writing",
      returning: {
        started.signal(); gate.wait(); return 1
      })
    queue().addOperation(work)
    #expect(await started.arrives())
    work.cancel()
    #expect(!work.isFinished)
    gate.signal()
    #expect(await finished(work))
  }

  @Test func `running work is notified once of its cancellation`() async {
    let (tally, started) = (Recorder<String>(), DispatchSemaphore(value: 0))
    let work = Work<Int>("request") { completion in
      completion.onCancel { tally.add(completion.isCancelled ? "aborted" : "early") }
      started.signal()
    }
    queue().addOperation(work)
    #expect(await started.arrives())
    for _ in 0..<3 { work.cancel() }
    #expect(await finished(work))
    #expect(tally.all == ["aborted"])
  }

  /// So that no other work of its category runs beside what the closure has to end. The other cancellation is a second one, or the
  /// worker's, which finds the work cancelled when it returns.
  @Test(arguments: [false, true])
  func `cancelled work ends behind its closure for that, even if another cancellation is faster`(
    isWorkers: Bool
  ) async {
    let (events, started, entered, gate) = (Recorder<String>(), Gate(), Gate(), Gate())
    let work = Work<Int>("request") { completion in
      completion.onCancel {
        entered.open()
        gate.wait()
        events.add(completion.isCancelled ? "aborted" : "early")
      }
      started.open()
      if isWorkers { entered.wait() }
    }
    work.add(WorkObserver(ended: { _, _ in events.add("ended") }))
    queue().addOperation(work)
    await onOwnThread { started.wait() }
    Thread { work.cancel() }.start()
    await onOwnThread { entered.wait() }
    if !isWorkers { work.cancel() }
    // Time for a wrong end.
    await onOwnThread { Thread.sleep(forTimeInterval: 0.05) }
    #expect(!work.isFinished)
    gate.open()
    #expect(await eventually { events.count == 2 })
    #expect(events.all == ["aborted", "ended"])
  }

  /// Foundation keeps unowned references to waiting operations; a released one would crash the process.
  @Test func `a cancelled operation may be released before its dependencies end`() async {
    let (first, started) = pending("long")
    let queue = queue()
    queue.addOperation(first)
    #expect(await started.arrives())
    for _ in 0..<500 {
      let waiting = Work<Int>("waiting", returning: { 1 })
      waiting.addDependency(first)
      queue.addOperation(waiting)
      waiting.cancel()
      #expect(await finished(waiting))
    }
    let block = [[UInt8]](repeating: [UInt8](repeating: 0xAA, count: 700), count: 5000)
    first.end(with: .success(block.count))
    #expect(first.isFinished)
  }

  @Test func `a finished operation releases its references`() async {
    weak var seen: Work<Int>?
    let last = Work<Int>("last", returning: { 1 })
    do {
      let first = Work<Int>("first", returning: { 1 })
      seen = first
      last.addDependency(first)
      queue().add([first, last])
      #expect(await finished(last))
    }
    let isGone = await eventually { [weak seen] in seen == nil }
    #expect(isGone)
  }

  @Test func `cancelling a finished operation changes nothing`() async {
    let work = Work<Int>("over", returning: { 1 })
    queue().addOperation(work)
    #expect(await finished(work))
    work.cancel()
    #expect(work.output == 1 && work.error == nil)
  }
}
