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

  @Test func `let an update of the UI wait for the background, while others on main go on`()
    async throws
  {
    let events = Events()
    let background = Work<Int>("background") { completion in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) {
        events.note("background")
        completion.succeed(1)
      }
    }
    let update = BlockOperation {
      events.note("update on \(isOnMainQueue ? "main" : "another")")
    }
    let other = BlockOperation { events.note("other") }
    try background --> update
    await withCheckedContinuation { continuation in
      update.completionBlock = { continuation.resume() }
      OperationQueue.main.addOperations([update, other], waitUntilFinished: false)
      OperationQueue().addOperation(background)
    }
    #expect(events.all == ["other", "background", "update on main"])
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
}
