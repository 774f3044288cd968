import Dispatch
import Foundation
import TestSupport
import Testing

@testable import SchedulableOperations

@Suite struct WorkTests {
  @Test func `an operation finishes when its work does and not when its worker leaves`() async {
    let (work, started) = pending("download")
    queue().addOperation(work)
    #expect(await started.arrives())
    #expect(work.isExecuting && !work.isFinished)
    work.end(with: .success(7))
    #expect(work.isFinished && !work.isExecuting && work.output == 7)
  }

  @Test func `its states are waiting, executing and succeeded`() async {
    let (work, started) = pending("download")
    #expect("\(work.state)" == "waiting" && !work.state.isOver)
    queue().addOperation(work)
    #expect(await started.arrives())
    #expect("\(work.state)" == "executing" && !work.state.isOver)
    work.end(with: .success(1))
    #expect("\(work.state)" == "succeeded" && work.state.isOver)
  }

  @Test func `work whose completion is released without a call fails, and its queue goes on`() async
  {
    let forgetful = Work<Int>("forgetful") { (_: Completion<Int>) in }
    let kept = Work<Int>("late") { completion in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { _ = completion.isCancelled }
    }
    let next = Work<Int>("next", returning: { 1 })
    queue(width: 1).add([forgetful, kept, next])
    #expect(await finished(forgetful, kept, next))
    #expect(forgetful.error as? WorkError == .forgotten)
    #expect(kept.error as? WorkError == .forgotten)
    #expect(next.output == 1)
  }

  @Test func `only the first end counts`() async {
    let work = Work<Int>("twice") { completion in
      completion.succeed(1)
      completion.succeed(2)
      completion.fail(Broken(number: 3))
    }
    queue().addOperation(work)
    #expect(await finished(work))
    #expect(work.output == 1 && work.error == nil)
  }

  @Test func `a thrown error is the reason of the failure`() async {
    let work = Work<Int>("broken", returning: { throw Broken(number: 4) })
    queue().addOperation(work)
    #expect(await finished(work))
    #expect(work.error as? Broken == Broken(number: 4) && work.output == nil)
  }

  @Test func `the completion block runs exactly once, however the work ends`() async {
    let tally = Recorder<String>()
    let queue = queue()
    for _ in 0..<200 {
      let work = Work<Int>("contested") { completion in
        for number in 0..<3 { DispatchQueue.global().async { completion.succeed(number) } }
      }
      work.completionBlock = { tally.add("completed") }
      work.add(WorkObserver(ended: { _, _ in tally.add("ended") }))
      queue.enqueue(work)
      for _ in 0..<2 { DispatchQueue.global().async { work.cancel() } }
    }
    #expect(
      await eventually { tally.count(of: "completed") >= 200 && tally.count(of: "ended") >= 200 })
    #expect(
      await onOwnThread {
        queue.waitUntilAllOperationsAreFinished(); return true
      })
    #expect(tally.count(of: "completed") == 200 && tally.count(of: "ended") == 200)
  }

  @Test func `observers are notified of the start and the end`() async {
    let tally = Recorder<String>()
    let work = Work<Int>(
      "seen",
      returning: {
        tally.add("work"); return 1
      })
    for number in 1...2 {
      work.add(
        WorkObserver(
          began: { _ in tally.add("began \(number)") },
          ended: { work, error in tally.add("ended \(number) \(work.isFinished) \(error == nil)") }
        ))
    }
    queue().addOperation(work)
    #expect(await eventually { tally.all.count == 5 })
    #expect(
      tally.all == ["began 1", "began 2", "work", "ended 1 true true", "ended 2 true true"])
  }

  @Test func `data is passed from one operation to the next`() async {
    let first = Work<Int>("number", returning: { 20 })
    let second = first.then("double") { (number, completion: Completion<Int>) in
      DispatchQueue.global().async { completion.succeed(number * 2) }
    }
    let third = second.then("text") { (number, completion: Completion<String>) in
      completion.succeed("\(number)")
    }
    queue().add([third, second, first])
    #expect(await finished(third))
    #expect(third.output == "40")
  }

  @Test func `clean-up runs once after a failure, before dependants start`() async {
    let tally = Recorder<String>()
    let work = Work<Int>("half a file", returning: { throw Broken(number: 1) })
    work.onFailure { tally.add("removed after \($0)") }
    let next = Work<Int>(
      "next", stopsOnFailure: false,
      returning: {
        tally.add("next"); return 1
      })
    next.addDependency(work)
    queue().add([next, work])
    #expect(await finished(next))
    #expect(tally.all == ["removed after \(Broken(number: 1))", "next"])
  }

  @Test func `clean-up does not run after success`() async {
    let tally = Recorder<String>()
    let work = Work<Int>("file", returning: { 1 })
    work.onFailure { _ in tally.add("removed") }
    work.add(WorkObserver(ended: { _, _ in tally.add("ended") }))
    queue().addOperation(work)
    #expect(await eventually { tally.all == ["ended"] })
  }

  @Test func `a question waits for the user's answer without occupying a worker`() async {
    let asked = Recorder<String>()
    let answers = (0..<100).map { number in
      Work<String>.question("name \(number)?") { completion in
        asked.add(OperationQueue.current === OperationQueue.main ? "on main" : "elsewhere")
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { completion.succeed("Ada") }
      }
    }
    // All hundred are running, each on the width of one worker, which they must release to be checked.
    queue().add(answers)
    #expect(await eventually { answers.allSatisfy(\.isFinished) })
    #expect(answers.allSatisfy { $0.output == "Ada" })
    #expect(asked.count(of: "on main") == 100)
  }

  @Test func `a question cancelled before it was asked is not asked`() async {
    let (asked, gate) = (Recorder<String>(), DispatchSemaphore(value: 0))
    OperationQueue.main.addOperation { gate.wait() }
    let question = Work<Int>.question("sure?") { _ in asked.add("asked") }
    queue().addOperation(question)
    // At once, on any thread on which this test continues: others need the main queue, too.
    #expect(
      await eventually {
        guard question.isExecuting else { return false }
        question.cancel()
        gate.signal()
        return true
      })
    #expect(await finished(question))
    let after = BlockOperation {}
    OperationQueue.main.addOperation(after)
    #expect(await finished(after))
    #expect(asked.all.isEmpty)
  }
}
