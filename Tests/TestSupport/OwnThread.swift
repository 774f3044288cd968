internal import Foundation

/// Runs `body` on a thread of its own: it may block, which threads of the cooperative pool must not.
package func onOwnThread<Value: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let outcome: Result<Value, Failure> = await withCheckedContinuation { done in
    Thread { done.resume(returning: Result(catching: body)) }.start()
  }
  return try outcome.get()
}

/// Calls `body` from so many threads at once and waits for all of them.
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
