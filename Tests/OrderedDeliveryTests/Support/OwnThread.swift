import Foundation

/// Runs `body` on a thread of its own: it may block, which threads of the cooperative pool must not.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { done in
    Thread { done.resume(returning: body()) }.start()
  }
}

/// Calls `body` from so many threads at once and waits for all of them.
func fromThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
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
