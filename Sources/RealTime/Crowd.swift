internal import CLinux
internal import FrameBudget

/// What the main thread, and all other threads of the process together, have used of the processors.
struct ProcessorUse {
  var main = TimeSpan.zero
  var others = TimeSpan.zero
}

/// Whether the app's own threads can keep its main thread from running, and for how long they did.
///
/// Who had the main thread's processor is not to be had without privileges. But its own threads keep it from running
/// only while they have all processors. Fewer threads than that never do; and together they must have used, of each
/// processor, as much time as they took from the main thread. What is left of the time in which that could have run
/// was taken by others: another process, or the hypervisor.
struct Crowd: Sendable {
  /// Processors that own threads have to fill; nil if they cannot.
  private let processors: Int?

  /// `threads` is how many there are beside the main one.
  init(threads: Int, processors: Int) {
    self.processors = threads >= processors ? max(1, processors) : nil
  }

  /// Nobody to be kept from running by.
  static let none = Crowd(threads: 0, processors: 1)

  /// What the calling thread, the main one, and those that could crowd it out have used up to now.
  var use: ProcessorUse {
    let main = TimeSpan.usedByThisThread
    return ProcessorUse(main: main, others: others(beside: main))
  }

  /// The same of the main thread by its id, for another one.
  func use(ofMain thread: Int32) -> ProcessorUse {
    let main = TimeSpan(nanoseconds: clinux_cpu_of_thread(thread))
    return ProcessorUse(main: main, others: others(beside: main))
  }

  /// Not asked for where it would make no difference: it takes as long as all other notes on a frame.
  private func others(beside main: TimeSpan) -> TimeSpan {
    processors == nil ? .zero : TimeSpan(nanoseconds: clinux_process_cpu()) - main
  }

  /// How much of `missing`, in which the main thread could have run, own threads took that used so much meanwhile.
  func taken(of missing: TimeSpan, using others: TimeSpan) -> TimeSpan {
    guard let processors else { return .zero }
    return min(missing, max(.zero, TimeSpan(nanoseconds: others.nanoseconds / Int64(processors))))
  }
}
