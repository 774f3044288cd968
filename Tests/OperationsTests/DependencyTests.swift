import Foundation
import Testing

@testable import Operations

@Suite struct `Dependencies` {
  @Test func `are chained by an operator, and order what runs`() async throws {
    let events = Events()
    let steps = ["stat", "hash", "insert"].map { name in
      Work<Int>(name) { completion in
        events.note(name)
        completion.succeed(0)
      }
    }
    try steps[0] --> steps[1] --> steps[2]
    await run(steps.reversed())
    #expect(events.all == ["stat", "hash", "insert"])
  }

  @Test func `hold across queues`() async throws {
    let events = Events()
    let download = Work<Int>("download") { completion in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) {
        events.note("download")
        completion.succeed(1)
      }
    }
    let parse = Work<Int>("parse") { completion in
      events.note("parse")
      completion.succeed(2)
    }
    try download --> parse
    async let network: Void = run([download])
    async let processing: Void = run([parse])
    _ = await (network, processing)
    #expect(events.all == ["download", "parse"])
  }

  @Test func `in a circle are refused at once, with its members`() throws {
    let operations = ["a", "b", "c"].map { name in Work<Int>(name, returning: { 0 }) }
    try operations[0] --> operations[1] --> operations[2]
    let cycle = #expect(throws: DependencyCycle.self) { try operations[2] --> operations[0] }
    #expect(cycle?.description == "a cycle of dependencies: a → c → b → a")
    #expect(operations[0].dependencies.isEmpty)
    #expect(throws: DependencyCycle.self) { try operations[0] --> operations[0] }
  }

  @Test func `that fan out and in again are no circle`() async throws {
    let operations = (0..<6).map { number in Work<Int>("\(number)", returning: { number }) }
    for middle in operations[1...4] {
      try operations[0] --> middle
      try middle --> operations[5]
    }
    await run(operations)
    #expect(operations.allSatisfy { $0.output != nil })
  }

  @Test func `let an update of the UI wait, and block those behind it only`()
    async throws
  {
    let (load, started) = pending("load")
    let events = Events()
    let update = BlockOperation {
      events.note("update on main: \(OperationQueue.current === OperationQueue.main)")
    }
    let behind = BlockOperation { events.note("behind") }
    let other = BlockOperation { events.note("other") }
    try load --> update --> behind
    OperationQueue.main.add([update, behind, other])
    queue().addOperation(load)
    #expect(await started.arrives())
    #expect(await finished(other))
    #expect(events.all == ["other"])
    load.end(with: .success(1))
    #expect(await finished(update, behind))
    #expect(events.all == ["other", "update on main: true", "behind"])
  }

  @Test func `cannot be made a circle by two threads together`() async {
    for _ in 0..<200 {
      let (a, b) = (Work<Int>("a", returning: { 1 }), Work<Int>("b", returning: { 1 }))
      let refused = Events()
      let group = DispatchGroup()
      for (first, next) in [(a, b), (b, a)] {
        DispatchQueue.global().async(group: group) {
          do { try first --> next } catch { refused.note("refused") }
        }
      }
      #expect(await onOwnThread { group.wait(timeout: .now() + patience) == .success })
      #expect(refused.all == ["refused"])
    }
  }

  @Test func `in a long chain are searched without exhausting a thread's stack`() async {
    let isRefused = await onOwnThread { () -> Bool in
      let works = (0..<20_000).map { Work<Int>("\($0)", returning: { 1 }) }
      for (first, next) in zip(works, works.dropFirst()) { next.addDependency(first) }
      defer { for work in works.reversed() { work.end() } }
      do { try works[19_999] --> works[0] } catch {
        return (error as? DependencyCycle)?.names.count == 20_001
      }
      return false
    }
    #expect(isRefused)
  }

  @Test func `are let go of by an operation that is over`() async {
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
}
