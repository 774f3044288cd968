internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Runs one closure on its own thread, with a name, a nice value and processors.
///
/// The initialiser returns when the thread has its settings. It throws if the system refuses one; then the closure does not
/// run. A thread that was not joined is detached when this object is released.
package final class PlatformThread: Sendable {
  package let name: String
  /// The native id, for `/proc` and `setpriority`.
  package let id: Int32
  private let handle: Locked<ThreadHandle?>

  package init(
    name: String, nice: Int? = nil, processors: [Int]? = nil,
    body: sending @escaping () -> Void
  ) throws(ThreadError) {
    let start = ThreadStart(name: name, nice: nice, processors: processors, body: body)
    let handle = try start.launch()
    let answer = start.waitForAnswer()
    self.name = name
    self.id = answer.id
    self.handle = Locked(handle)
    if let refusal = answer.refusal {
      join()
      throw refusal
    }
  }

  deinit { handle.withLock { $0.take()?.detach() } }

  /// The nice value that the thread has now, read from the system.
  package var nice: Int { Platform.nice(thread: id) }

  /// Whether the caller runs on this thread. Meaningless after `join`, because the system may reuse the id.
  package var isCurrent: Bool { Platform.threadID() == id }

  /// Changes the nice value; without privilege it can be raised but not lowered again.
  package func setNice(_ nice: Int) throws(ThreadError) {
    let error = Platform.setNice(nice, thread: id)
    if error != 0 { throw .niceRefused(thread: name, nice: nice, error: error) }
  }

  /// Blocks until the thread has ended. May be called again, and by several threads.
  package func join() {
    // The lock is held while waiting, so that a second caller waits as well; the thread itself never takes it.
    handle.withLock { $0.take()?.join() }
  }
}

/// The settings of a new thread, and whether they could be applied, which it reports before it runs its closure.
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
    let refusal = applySettings(to: id)
    answer.withLock { $0 = Answer(id: id, refusal: refusal) }
    answered.signal()
    if refusal == nil { unsafe body() }
  }

  private func applySettings(to id: Int32) -> ThreadError? {
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

/// The system's reference to a thread, to be joined or detached exactly once.
///
/// Stored as a number: on Linux it is one, and on Apple's systems a pointer.
struct ThreadHandle {
  private let bits: UInt

  #if os(Linux)
    init(_ thread: pthread_t) { bits = thread }

    func join() { _ = pthread_join(bits, nil) }

    func detach() { _ = pthread_detach(bits) }
  #else
    init(_ thread: pthread_t) { bits = UInt(bitPattern: thread) }

    func join() {
      if let thread = unsafe pthread_t(bitPattern: bits) { _ = unsafe pthread_join(thread, nil) }
    }

    func detach() {
      if let thread = unsafe pthread_t(bitPattern: bits) { _ = unsafe pthread_detach(thread) }
    }
  #endif
}

/// The system refused to create a thread or to apply one of its settings.
public enum ThreadError: Error, Equatable, CustomStringConvertible {
  /// The thread was not created: usually a limit on the number of threads, or no memory. `error` is an `errno` value.
  case notStarted(thread: String, error: Int32)
  /// The nice value was not set: on Linux a lower one than the current needs a privilege.
  case niceRefused(thread: String, nice: Int, error: Int32)
  /// The thread was not confined to these processors: probably one of them does not exist.
  case pinningRefused(thread: String, processors: [Int], error: Int32)

  public var description: String {
    switch self {
    case .notStarted(let thread, let error):
      "thread '\(thread)' could not be started: \(Platform.describe(error: error))"
    case .niceRefused(let thread, let nice, let error):
      "thread '\(thread)' cannot have nice \(nice): "
        + (Platform.niceRange.contains(nice)
          ? Platform.describe(error: error) : "nice values are from -20 to 19")
    case .pinningRefused(let thread, let processors, let error):
      "thread '\(thread)' cannot run on processors \(processors): "
        + Platform.describe(error: error)
    }
  }
}
