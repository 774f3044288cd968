internal import SchedulableThreads
internal import Foundation

/// Runs `body` on a thread of its own: it may block, which threads of the cooperative pool must not.
package func onOwnThread<Value: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  // Not handed over by the continuation: where it is resumed before it is awaited, the thread sanitizer does not see
  // which was first.
  let outcome = Locked<Result<Value, Failure>?>(nil)
  await withCheckedContinuation { done in
    Thread {
      let result = Result(catching: body)
      outcome.withLock { $0 = result }
      done.resume()
    }.start()
  }
  guard let result = outcome.withLock({ $0 }) else { fatalError("resumed without an outcome") }
  return try result.get()
}

/// Calls `body` from the given number of threads at once and waits for all of them.
package func fromThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let (start, ended) = (Gate(), DispatchGroup())
  for number in 0..<count {
    ended.enter()
    Thread {
      start.wait()
      body(number)
      ended.leave()
    }.start()
  }
  start.open()
  ended.wait()
}
