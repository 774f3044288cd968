import Foundation
import Testing

@testable import Operations

@Suite struct `Cancellation` {
  @Test func `before it began lets an operation be over without having run`() async {
    let events = Events()
    let work = Work<Int>("cancelled") { completion in
      events.note("ran")
      completion.succeed(1)
    }
    work.cancel()
    let next = Work<Int>("next", returning: { 2 })
    next.addDependency(work)
    await run([work, next])
    #expect(events.all.isEmpty)
    #expect(work.isFinished && work.error as? WorkError == .cancelled)
    #expect(next.error as? WorkError == .dependencyFailed("cancelled"))
  }

  @Test func `of one under way stops it, and it is over at once`() async {
    let events = Events()
    let work = Work<Int>("under way") { completion in
      completion.onCancel { events.note("stopped") }
      events.note("began")
    }
    work.add(WorkObserver(began: { _ in events.note("observed") }))
    let cancelling = Work<Int>("cancelling") { completion in
      DispatchQueue.global().async {
        while !events.all.contains("began") { usleep(500) }
        work.cancel()
        completion.succeed(1)
      }
    }
    await run([work, cancelling])
    #expect(events.all == ["observed", "began", "stopped"])
    #expect(work.error as? WorkError == .cancelled && work.isFinished)
  }

  @Test func `of one that is over changes nothing`() async {
    let work = Work<Int>("over", returning: { 1 })
    await run([work])
    work.cancel()
    #expect(work.output == 1 && work.error == nil)
  }

  @Test func `while it begins ends it exactly once`() async {
    for _ in 0..<200 {
      let events = Events()
      let work = Work<Int>("racing") { completion in completion.succeed(1) }
      work.add(WorkObserver(ended: { _, _ in events.note("ended") }))
      DispatchQueue.global().async { work.cancel() }
      await run([work])
      for _ in 0..<1000 where events.all.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
      #expect(events.all == ["ended"])
      #expect(work.isFinished)
    }
  }

  @Test func `of a group reaches all its members`() async {
    let members = (0..<5).map { number in Work<Int>("member \(number)") { _ in } }
    let group = WorkGroup("group", members, width: 2)
    let cancelling = BlockOperation {
      while !members[0].isExecuting { usleep(500) }
      group.cancel()
    }
    await run([group, cancelling])
    #expect(group.error as? WorkError == .cancelled)
    for _ in 0..<2000 where !members.allSatisfy(\.isFinished) {
      try? await Task.sleep(for: .milliseconds(1))
    }
    #expect(members.allSatisfy { $0.isFinished && $0.error as? WorkError == .cancelled })
  }

  @Test func `of one that waits for another reaches finished, and it never begins`() async {
    let (first, started) = pending("first")
    let events = Events()
    let waiting = Work<Int>(
      "waiting",
      returning: {
        events.note("began"); return 1
      })
    waiting.addDependency(first)
    queue().add([first, waiting])
    #expect(await started.arrives())
    waiting.cancel()
    #expect(await finished(waiting))
    #expect(events.all.isEmpty && !first.isFinished)
    first.end(with: .success(1))
  }

  /// Nothing else would ever end the work, so one that is missed waits for ever.
  @Test func `reaches finished at whichever moment of the beginning it comes`() async {
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

  /// Between the check before the beginning and the beginning: an observer stands just there.
  @Test func `by an observer, as it begins, reaches finished`() async {
    let (work, _) = pending("late")
    work.add(WorkObserver(began: { $0.cancel() }))
    queue().addOperation(work)
    #expect(await finished(work))
  }

  @Test func `lets one that a worker is busy with be over only when it returns`() async {
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

  @Test func `is told once to what is under way, however often it is said`() async {
    let (events, started) = (Events(), DispatchSemaphore(value: 0))
    let work = Work<Int>("request") { completion in
      completion.onCancel { events.note("aborted") }
      started.signal()
    }
    queue().addOperation(work)
    #expect(await started.arrives())
    for _ in 0..<3 { work.cancel() }
    #expect(await finished(work))
    #expect(events.all == ["aborted"])
  }

  /// Foundation keeps unowned references to those that wait; one that is gone would bring the process down.
  @Test func `lets one be gone before what it waited for ends`() async {
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
}
