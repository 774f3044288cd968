import Foundation
import Testing

@testable import Operations

@Suite struct `A group` {
  @Test func `is over when its last member is, and keeps no worker meanwhile`() async {
    let events = Events()
    let members = (0..<3).map { number in
      Work<Int>("\(number)") { completion in
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01 * Double(number + 1)) {
          events.note("member")
          completion.succeed(number)
        }
      }
    }
    let group = WorkGroup("group", members)
    group.add(WorkObserver(ended: { _, _ in events.note("group") }))
    await run([group], width: 1)
    for _ in 0..<1000 where events.all.count < 4 { try? await Task.sleep(for: .milliseconds(1)) }
    #expect(events.all == ["member", "member", "member", "group"])
    #expect(group.error == nil)
  }

  @Test func `inside groups, more than there are workers, all end`() async {
    let groups = (0..<20).map { number -> WorkGroup in
      let inner = WorkGroup("inner \(number)", [Work<Int>("leaf", returning: { number })], width: 1)
      return WorkGroup("outer \(number)", [inner], width: 1)
    }
    await run(groups, width: 1)
    #expect(groups.allSatisfy { $0.isFinished && $0.error == nil })
  }

  @Test func `without members is over at once`() async {
    let group = WorkGroup("empty", [])
    await run([group])
    #expect(group.isFinished && group.error == nil)
  }

  @Test func `collects the errors of members that fail at the same time, and filters them`() async {
    let members = (0..<200).map { number in
      Work<Int>(
        "\(number)", stopsOnFailure: false,
        returning: {
          if number.isMultiple(of: 2) { throw Trouble(text: "\(number)") }
          throw OtherTrouble()
        })
    }
    let group = WorkGroup("failing", members, width: 8)
    await run([group])
    #expect(group.error as? WorkError == .membersFailed(200))
    #expect(group.errors.count == 200)
    #expect(Set(group.errors(of: Trouble.self).map(\.text)).count == 100)
    #expect(group.errors(of: OtherTrouble.self).count == 100)
  }

  @Test func `is one of a hundred under way, and others still find workers`() async {
    let outer = queue(width: 100)
    let starts = DispatchSemaphore(value: 0)
    let members = (0..<100).map { Work<Int>("\($0)") { (_: Completion<Int>) in starts.signal() } }
    let groups = members.map { WorkGroup("around \($0.name ?? "")", [$0]) }
    outer.add(groups)
    for _ in members { #expect(await starts.arrives()) }
    // With a hundred groups under way there are still workers for anyone else.
    let other = BlockOperation {}
    queue().addOperation(other)
    #expect(await finished(other))
    #expect(groups.allSatisfy { $0.isExecuting })
    for member in members { member.end(with: .success(1)) }
    #expect(await eventually { groups.allSatisfy(\.isFinished) })
  }

  @Test func `has every error once it is over, also of members that end on other threads`() async {
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

  @Test func `that failed stops what depends on it`() async {
    let group = WorkGroup("group", [Work<Int>("bad", returning: { throw Broken(number: 1) })])
    let next = Work<Int>("next", returning: { 1 })
    next.addDependency(group)
    queue().add([group, next])
    #expect(await finished(next))
    #expect(next.error as? WorkError == .dependencyFailed("group"))
  }

  @Test func `that is cancelled ends after its members`() async {
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

  @Test func `that is cancelled before it begins has members that are over too`() async {
    let (first, started) = pending("first")
    let events = Events()
    let member = Work<Int>(
      "member",
      returning: {
        events.note("member"); return 1
      })
    let group = WorkGroup("group", [member])
    let after = Work<Int>("after", stopsOnFailure: false, returning: { 1 })
    group.addDependency(first)
    after.addDependency(member)
    queue().add([first, group, after])
    #expect(await started.arrives())
    group.cancel()
    #expect(await finished(group, member, after))
    #expect(events.all.isEmpty && group.error as? WorkError == .cancelled)
    first.end(with: .success(1))
  }

  @Test func `whose dependency fails has members that are over too`() async {
    let first = Work<Int>("first", returning: { throw Broken(number: 1) })
    let (member, _) = pending("member")
    let group = WorkGroup("group", [member])
    group.addDependency(first)
    queue().add([first, group])
    #expect(await finished(group, member))
    #expect(group.error as? WorkError == .dependencyFailed("first"))
  }

  @Test func `runs no more members at once than its width`() async {
    let running = Inside()
    let members = (0..<20).map { number in
      Work<Int>("\(number)") { completion in
        running.enter()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.002) {
          running.leave()
          completion.succeed(1)
        }
      }
    }
    let group = WorkGroup("narrow", members, width: 3)
    queue().addOperation(group)
    #expect(await finished(group))
    #expect(running.most == 3)
  }
}
