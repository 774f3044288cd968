internal import SchedulableThreads

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The identity of a thread: each thread has one such object.
///
/// The system may reuse a thread id after the thread ended. A mark is not reused while it is referenced.
@safe
final class ThreadMark: Sendable {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let error = unsafe pthread_key_create(&key) { mark in unsafe releaseMark(mark) }
    require(error == 0, "no thread-local storage left: \(Platform.describe(error: error))")
    return key
  }()

  // Proof: only the mark's own thread accesses it, through `current`; when the mark is released, that thread is gone.
  // Behind a pointer, because Swift checks each access to a class's variable for exclusivity at run time.
  private nonisolated(unsafe) let pool: UnsafeMutablePointer<NodePool>

  private init() {
    unsafe pool = .allocate(capacity: 1)
    unsafe pool.initialize(to: NodePool())
  }

  deinit {
    unsafe pool.deinitialize(count: 1)
    unsafe pool.deallocate()
  }

  /// Runs `body` with the calling thread's free nodes.
  static func withPool<R>(_ body: (inout NodePool) -> R) -> R {
    guard let mark = unsafe pthread_getspecific(key) else {
      return unsafe body(&current.pool.pointee)
    }
    // Needs no reference count: the thread's own reference outlives the call.
    return unsafe Unmanaged<ThreadMark>.fromOpaque(mark)._withUnsafeGuaranteedRef {
      unsafe body(&$0.pool.pointee)
    }
  }

  /// The calling thread's mark.
  static var current: ThreadMark {
    if let mark = unsafe pthread_getspecific(key) {
      return unsafe Unmanaged<ThreadMark>.fromOpaque(mark).takeUnretainedValue()
    }
    let mark = ThreadMark()
    unsafe pthread_setspecific(key, Unmanaged.passRetained(mark).toOpaque())
    return mark
  }

  /// The address of the calling thread's mark.
  static var currentBits: UInt {
    if let mark = unsafe pthread_getspecific(key) { return UInt(bitPattern: mark) }
    return current.bits
  }

  var bits: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

private func releaseMark(_ mark: UnsafeMutableRawPointer?) {
  guard let mark = unsafe mark else { return }
  unsafe Unmanaged<ThreadMark>.fromOpaque(mark).release()
}
