import Foundation
import Testing

@testable import Operations

@Suite struct `A piece of work` {
  @Test func `ends when its work does, not when its body returns`() async {
    let events = Events()
    let work = Work<Int>("slow") { completion in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) {
        events.note("done")
        completion.succeed(7)
      }
      events.note("returned")
    }
    let next = BlockOperation { events.note("next") }
    next.addDependency(work)
    await run([work, next])
    #expect(events.all == ["returned", "done", "next"])
    #expect(work.output == 7)
  }

  @Test func `goes through its states, and tells observers`() async {
    let events = Events()
    let work = Work<Int>("observed") { completion in completion.succeed(1) }
    guard case .waiting = work.state else { return #expect(Bool(false), "\(work.state)") }
    work.add(
      WorkObserver(
        began: { events.note("began \($0.isExecuting) \($0.isFinished)") },
        ended: { events.note("ended \($0.isExecuting) \($0.isFinished) \($1 == nil)") }))
    await run([work])
    #expect(events.all == ["began true false", "ended false true true"])
    #expect(work.state.isOver && work.error == nil)
  }

  @Test func `is over once, with the first of several ends`() async {
    let events = Events()
    let work = Work<Int>("twice") { completion in
      completion.succeed(1)
      completion.succeed(2)
      completion.fail(Trouble())
    }
    work.completionBlock = { events.note("completed") }
    work.add(WorkObserver(ended: { _, _ in events.note("ended") }))
    await run([work])
    // The block runs on a thread of its own, somewhat later.
    for _ in 0..<1000 where events.all.count < 2 { try? await Task.sleep(for: .milliseconds(2)) }
    try? await Task.sleep(for: .milliseconds(20))
    #expect(events.all.sorted() == ["completed", "ended"])
    #expect(work.output == 1 && work.error == nil)
  }

  @Test func `that threw has failed with the error, and has no output`() async {
    let work = Work<Int>("throwing", returning: { throw Trouble(text: "no") })
    await run([work])
    #expect(work.error as? Trouble == Trouble(text: "no"))
    #expect(work.output == nil)
  }

  @Test func `hands its output on`() async {
    let first = Work<Int>("first", returning: { 20 })
    let second = first.then("second") { (input: Int, completion: Completion<String>) in
      completion.succeed("\(input + 1)")
    }
    await run([second, first])
    #expect(second.output == "21")
  }

  @Test func `does not begin where what it depends on has failed, if it stops on failures`() async {
    let events = Events()
    let failing = Work<Int>("failing", returning: { throw Trouble() })
    let stopped = failing.then("stopped") { (_: Int, completion: Completion<Int>) in
      events.note("stopped")
      completion.succeed(0)
    }
    let further = Work<Int>("further", returning: { 1 })
    further.addDependency(stopped)
    let careless = Work<Int>("careless", stopsOnFailure: false, returning: { 2 })
    careless.addDependency(failing)
    await run([failing, stopped, further, careless])
    #expect(events.all.isEmpty)
    #expect(stopped.error as? WorkError == .dependencyFailed("failing"))
    #expect(further.error as? WorkError == .dependencyFailed("stopped"))
    #expect(careless.output == 2)
  }

  @Test func `cleans up once after a failure, before what depends on it`() async {
    let events = Events()
    let failing = Work<Int>("failing", returning: { throw Trouble() })
    failing.onFailure { events.note("clean-up of \($0)") }
    let next = Work<Int>("next", stopsOnFailure: false) { completion in
      events.note("next")
      completion.succeed(0)
    }
    next.addDependency(failing)
    let fine = Work<Int>("fine", returning: { 1 })
    fine.onFailure { _ in events.note("never") }
    await run([failing, next, fine])
    #expect(events.all == ["clean-up of Trouble(text: \"\")", "next"])
  }

  @Test func `waits for a person's answer and keeps no worker`() async {
    let asked = Events()
    let question = Work<String>.question("sure?") { completion in
      asked.note(isOnMainQueue ? "on main" : "elsewhere")
      DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) { completion.succeed("yes") }
    }
    let other = Work<Int>("other") { completion in
      asked.note("other")
      completion.succeed(1)
    }
    // Of a width of one the question would hold it, so both are on a queue of two, each worker being free.
    await run([question, other], width: 2)
    #expect(question.output == "yes")
    #expect(asked.all.contains("on main") && asked.all.contains("other"))
  }

  @Test func `runs its completion block exactly once, whoever ends it and however often`() async {
    let events = Events()
    let queue = queue()
    for _ in 0..<200 {
      let (work, _) = pending("contested")
      work.completionBlock = { events.note("completed") }
      work.add(WorkObserver(ended: { _, _ in events.note("ended") }))
      queue.addOperation(work)
      for other in 0..<3 {
        DispatchQueue.global().async {
          if other == 0 { work.cancel() } else { work.end(with: .success(other)) }
        }
      }
    }
    #expect(
      await eventually {
        events.all.count { $0 == "completed" } >= 200 && events.all.count { $0 == "ended" } >= 200
      })
    #expect(
      await onOwnThread {
        queue.waitUntilAllOperationsAreFinished(); return true
      })
    #expect(
      events.all.count { $0 == "completed" } == 200 && events.all.count { $0 == "ended" } == 200)
  }

  @Test func `may be one of a hundred questions, since none keeps a worker`() async {
    let asked = Events()
    let answers = (0..<100).map { number in
      Work<String>.question("name \(number)?") { completion in
        asked.note(OperationQueue.current === OperationQueue.main ? "on main" : "elsewhere")
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { completion.succeed("Ada") }
      }
    }
    // All hundred are under way on one worker's width each; none could be asked if they kept them.
    queue().add(answers)
    #expect(await eventually { answers.allSatisfy(\.isFinished) })
    #expect(answers.allSatisfy { $0.output == "Ada" })
    #expect(asked.all.count { $0 == "on main" } == 100)
  }

  @Test func `withdrawn before its question was asked is not asked`() async {
    let (asked, gate) = (Events(), DispatchSemaphore(value: 0))
    OperationQueue.main.addOperation { gate.wait() }
    let question = Work<Int>.question("sure?") { _ in asked.note("asked") }
    queue().addOperation(question)
    #expect(await eventually { question.isExecuting })
    question.cancel()
    gate.signal()
    #expect(await finished(question))
    let after = BlockOperation {}
    OperationQueue.main.addOperation(after)
    #expect(await finished(after))
    #expect(asked.all.isEmpty)
  }
}
