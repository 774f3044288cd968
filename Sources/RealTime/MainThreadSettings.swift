internal import CLinux

/// How the kernel treats the main thread during a run; put back afterwards.
struct MainThreadSettings {
  private let isRealtime: Bool
  private let slackBefore: Int64
  /// The processors that this process may use, if threads are to be pinned to some of them.
  private let processors: UInt64?

  /// Sets what threads that are started from now on inherit, and the main thread's priority, which they do not.
  init(_ options: RealEngine.Options) throws(RealEngineError) {
    let all = clinux_get_affinity()
    if options.pinsThreads {
      guard all.nonzeroBitCount > 1, clinux_set_affinity(all & ~all.lowestBit) == 0 else {
        throw .notPermitted(
          what: "pinning threads", remedy: "it needs two processors that this process may use")
      }
    }
    if options.isRealtime, clinux_set_realtime(Self.realtimePriority) != 0 {
      if options.pinsThreads { _ = clinux_set_affinity(all) }
      throw .notPermitted(
        what: "a real-time priority",
        remedy: "run as root, grant CAP_SYS_NICE, raise the rtprio limit, or leave --realtime out")
    }
    isRealtime = options.isRealtime
    processors = options.pinsThreads ? all : nil
    // The kernel may delay a thread's timers by its slack, 50 us by default; a vsync comes without that.
    slackBefore = clinux_set_timer_slack(1)
  }

  /// Moves the main thread away from the processors that the lanes, started by now, have inherited.
  func leaveLanesAlone() {
    if let processors { _ = clinux_set_affinity(processors.lowestBit) }
  }

  func restore() {
    if isRealtime { _ = clinux_set_realtime(0) }
    if let processors { _ = clinux_set_affinity(processors) }
    _ = clinux_set_timer_slack(slackBefore)
  }

  /// As `cyclictest -p 80`: above ordinary real-time work, below the kernel's own.
  private static let realtimePriority: Int32 = 80
}

extension UInt64 {
  fileprivate var lowestBit: UInt64 { self & (~self &+ 1) }
}
