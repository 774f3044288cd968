import Dispatch
import Foundation
import TestSupport
import Testing

@testable import SchedulableOperations

@Suite struct WorkGroupTests {
  @Test func `a group ends with the last of its members`() async {
    let (slow, started) = pending("slow")
    let group = WorkGroup("group", [slow, BlockOperation {}])
    queue().addOperation(group)
    #expect(await started.arrives())
    #expect(group.isExecuting)
    slow.end(with: .success(1))
    #expect(await finished(group))
    #expect(group.error == nil)
  }

  @Test func `a group blocks no worker while its members run`() async {
    let outer = queue(width: 100)
    let members = (0..<100).map { pending("\($0)") }
    let groups = members.map { WorkGroup("around \($0.work.name ?? "")", [$0.work]) }
    outer.add(groups)
    for member in members { #expect(await member.started.arrives()) }
    // With a hundred running groups there are still workers for other work.
    let other = BlockOperation {}
    queue().addOperation(other)
    #expect(await finished(other))
    #expect(groups.allSatisfy { $0.isExecuting })
    for member in members { member.work.end(with: .success(1)) }
    #expect(await eventually { groups.allSatisfy(\.isFinished) })
  }

  @Test func `groups nest`() async {
    let tally = Recorder<String>()
    let leaf = Work<Int>(
      "leaf",
      returning: {
        tally.add("leaf"); return 1
      })
    let group = WorkGroup("outer", [WorkGroup("middle", [WorkGroup("inner", [leaf])])])
    queue().addOperation(group)
    #expect(await finished(group))
    #expect(tally.all == ["leaf"])
  }

  @Test func `every error of its members is collected, and can be filtered by type`() async {
    for _ in 0..<20 {
      let members = (0..<100).map { number in
        Work<Int>("\(number)") { completion in
          DispatchQueue.global().async {
            if number.isMultiple(of: 2) {
              completion.fail(Broken(number: number))
            } else {
              completion.fail(CocoaError(.fileNoSuchFile))
            }
          }
        }
      }
      let group = WorkGroup("failing", members)
      queue().addOperation(group)
      #expect(await finished(group))
      #expect(group.error as? WorkError == .membersFailed(100))
      #expect(group.errors.count == 100)
      let broken = group.errors(of: Broken.self).map(\.number).sorted()
      #expect(broken == Array(stride(from: 0, to: 100, by: 2)))
    }
  }

  @Test func `dependants of a failed group stop`() async {
    let group = WorkGroup("group", [Work<Int>("bad", returning: { throw Broken(number: 1) })])
    let next = Work<Int>("next", returning: { 1 })
    next.addDependency(group)
    queue().add([group, next])
    #expect(await finished(next))
    #expect(next.error as? WorkError == .dependencyFailed("group"))
  }

  @Test func `cancelling a group cancels its members, and it ends after them`() async {
    let (started, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let busy = Work<Int>(
      "busy",
      returning: {
        started.signal(); gate.wait(); return 1
      })
    let (stuck, stuckStarted) = pending("stuck")
    let group = WorkGroup("group", [busy, stuck])
    queue().addOperation(group)
    #expect(await started.arrives())
    #expect(await stuckStarted.arrives())
    group.cancel()
    #expect(await finished(stuck))
    #expect(!group.isFinished)
    gate.signal()
    #expect(await finished(busy, group))
    #expect(group.error as? WorkError == .cancelled)
  }

  @Test func `the members of a group that never starts are finished too`() async {
    let (first, started) = pending("first")
    let tally = Recorder<String>()
    let member = Work<Int>(
      "member",
      returning: {
        tally.add("member"); return 1
      })
    let group = WorkGroup("group", [member])
    let after = Work<Int>("after", stopsOnFailure: false, returning: { 1 })
    group.addDependency(first)
    after.addDependency(member)
    queue().add([first, group, after])
    #expect(await started.arrives())
    group.cancel()
    #expect(await finished(group, member, after))
    #expect(tally.all.isEmpty && group.error as? WorkError == .cancelled)
    first.end(with: .success(1))
  }

  @Test func `the members of a group whose dependency fails are finished too`() async {
    let first = Work<Int>("first", returning: { throw Broken(number: 1) })
    let (member, _) = pending("member")
    let group = WorkGroup("group", [member])
    group.addDependency(first)
    queue().add([first, group])
    #expect(await finished(group, member))
    #expect(group.error as? WorkError == .dependencyFailed("first"))
  }

  @Test func `a group without members ends`() async {
    let group = WorkGroup("empty", [])
    queue().addOperation(group)
    #expect(await finished(group))
    #expect(group.error == nil)
  }

  @Test func `a group runs no more at once than its width`() async {
    let running = Running()
    let members = (0..<20).map { number in
      Work<Int>("\(number)") { completion in
        running.enter()
        running.leave(afterMost: 3) { completion.succeed(1) }
      }
    }
    let group = WorkGroup("narrow", members, width: 3)
    queue().addOperation(group)
    #expect(await finished(group))
    #expect(running.most == 3)
  }
}
