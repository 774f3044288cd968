import Foundation
import TestSupport
import Testing

@testable import SchedulableOperations

@Suite struct AsyncTests {
  @Test func `a task can await the output before and after the end`() async throws {
    let (work, started) = pending("download")
    queue().enqueue(work)
    #expect(await started.arrives())
    async let early = work.value
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { work.end(with: .success(7)) }
    #expect(try await early == 7)
    #expect(try await work.value == 7)
  }

  @Test func `a task that awaits the output gets the error`() async {
    let work = Work<Int>("broken", returning: { throw Broken(number: 4) })
    await #expect(throws: Broken(number: 4)) { try await work.run(on: queue()) }
    await #expect(throws: Broken(number: 4)) { try await work.value }
  }

  @Test func `a cancelled task cancels what it enqueued`() async {
    let (work, started) = pending("download")
    let queue = queue()
    let task = Task { try await work.run(on: queue) }
    #expect(await started.arrives())
    task.cancel()
    await #expect(throws: WorkError.cancelled) { try await task.value }
    #expect(work.isCancelled && work.isFinished)
  }

  @Test func `a cancelled task that only waits cancels nothing`() async throws {
    let (work, started) = pending("download")
    queue().enqueue(work)
    #expect(await started.arrives())
    let task = Task { try await work.value }
    task.cancel()
    #expect(!work.isCancelled)
    work.end(with: .success(1))
    #expect(try await task.value == 1)
  }

  @Test func `all waiting tasks are resumed, however the work ends`() async throws {
    let queue = queue()
    for _ in 0..<200 {
      let work = Work<Int>("contested") { completion in
        DispatchQueue.global().async { completion.succeed(3) }
      }
      queue.enqueue(work)
      let sum = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 { group.addTask { try await work.value } }
        return try await group.reduce(0, +)
      }
      #expect(sum == 12)
    }
  }
}
