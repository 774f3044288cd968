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
}
