internal import CFrameBudgetLinux
internal import FrameBudget
internal import Glibc
internal import Synchronization

/// The machine's monotonic clock, relative to time 0 of a run.
final class RunClock: Sendable {
  private let zero = Atomic<Int64>(0)

  /// Makes `instant` the new time 0.
  func restart(at instant: Instant) {
    zero.add(instant.nanoseconds, ordering: .sequentiallyConsistent)
  }

  var now: Instant {
    Instant(nanoseconds: clinux_monotonic() - zero.load(ordering: .relaxed))
  }

  /// Sleeps until an absolute time, because a relative sleep loses vsyncs to the kernel's timer slack. Returns early if the run
  /// is interrupted.
  func sleep(until instant: Instant) {
    let deadline = instant.nanoseconds + zero.load(ordering: .relaxed)
    while clinux_sleep_until(deadline) != 0 {
      if Interruption.signal != nil { return }
    }
  }

  func sleep(for span: TimeSpan) { sleep(until: now + span) }
}

/// SIGINT, SIGTERM and SIGHUP: the first ends the run and keeps its results, the second ends the process.
public enum Interruption {
  /// Installs the handlers.
  public static func install() { clinux_note_interruptions() }

  /// The received signal, if any.
  public static var signal: Int32? {
    let noted = clinux_noted_interruption()
    return noted == 0 ? nil : noted
  }

  /// Forgets the signal, if it ended only a part of the command: the next one ends the process.
  public static func forget() { clinux_forget_interruption() }
}

extension ThreadLog {
  /// The calling thread and its processor time since it began, or beyond `before`.
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
