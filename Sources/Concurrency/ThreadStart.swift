internal import Dispatch
#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The settings of a new thread, and its answer before it runs its closure.
final class ThreadStart: Sendable {
  struct Answer {
    var id: Int32 = 0
    var refusal: ThreadError?
  }

  private let name: String
  private let nice: Int?
  private let processors: [Int]?
  // Proof: written before the thread exists, read by that thread alone.
  private nonisolated(unsafe) let body: () -> Void
  private let answer = Locked(Answer())
  private let answered = DispatchSemaphore(value: 0)

  init(name: String, nice: Int?, processors: [Int]?, body: sending @escaping () -> Void) {
    self.name = name
    self.nice = nice
    self.processors = processors
    unsafe self.body = body
  }

  func launch() throws(ThreadError) -> ThreadHandle {
    let me = unsafe Unmanaged.passRetained(self)
    #if os(Linux)
      var thread = pthread_t()
      let error = unsafe pthread_create(&thread, nil, threadMain, me.toOpaque())
      if error == 0 { return ThreadHandle(thread) }
    #else
      var created: pthread_t?
      let error = unsafe pthread_create(&created, nil, threadMain, me.toOpaque())
      if error == 0, let thread = unsafe created { return unsafe ThreadHandle(thread) }
    #endif
    unsafe me.release()
    throw .notStarted(thread: name, error: error)
  }

  func waitForAnswer() -> Answer {
    answered.wait()
    return answer.withLock { $0 }
  }

  fileprivate func run() {
    let id = Platform.threadID()
    Platform.nameThread(name)
    let refusal = settle(id)
    answer.withLock { $0 = Answer(id: id, refusal: refusal) }
    answered.signal()
    if refusal == nil { unsafe body() }
  }

  private func settle(_ id: Int32) -> ThreadError? {
    if let processors {
      let error = Platform.pin(thread: id, to: processors)
      if error != 0 {
        return .pinningRefused(thread: name, processors: processors, error: error)
      }
    }
    if let nice {
      let error = Platform.setNice(nice, thread: id)
      if error != 0 { return .niceRefused(thread: name, nice: nice, error: error) }
    }
    return nil
  }
}

#if os(Linux)
  private func threadMain(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let start = unsafe start else { return nil }
    unsafe Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().run()
    return nil
  }
#else
  private func threadMain(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().run()
    return nil
  }
#endif
