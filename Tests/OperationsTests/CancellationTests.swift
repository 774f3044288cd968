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
}
