internal import CLinux
internal import FrameBudget
internal import Glibc

extension ThreadLog {
  /// What the calling thread is and has used since it began, or since it had used `before`.
  static func current(_ name: String, since before: TimeSpan = .zero) -> ThreadLog {
    let which = __priority_which_t(PRIO_PROCESS.rawValue)
    let nice = getpriority(which, id_t(bitPattern: clinux_thread_id()))
    return ThreadLog(name: name, nice: Int(nice), cpu: .usedByThisThread - before)
  }
}

extension TimeSpan {
  /// Processor time of the calling thread.
  static var usedByThisThread: TimeSpan { TimeSpan(nanoseconds: clinux_thread_cpu()) }
}
