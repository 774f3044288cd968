internal import Concurrency

/// Records which threads wait for the end of which schedulers, and detects a thread that would wait for itself.
///
/// It sees only waits by `shutdownAndWait`. Other ways of blocking, such as a semaphore that an event of the same scheduler
/// would signal, cannot be detected.
enum EndWaits {
  /// By the mark of the waiting thread.
  private static let waits = Locked<[UInt: SchedulerLoop]>([:])

  /// Lets the calling thread wait. Stops the process if that scheduler waits for the calling thread.
  static func wait(for loop: SchedulerLoop, file: StaticString, line: UInt, _ wait: () -> Void) {
    let me = ThreadMark.currentBits
    let circle = waits.withLock { waits -> [String]? in
      var names: [String] = []
      var next: SchedulerLoop? = loop
      while let awaited = next {
        names.append("'\(awaited.name)'")
        if awaited.ownerBits == me { return names }
        next = waits[awaited.ownerBits]
      }
      waits[me] = loop
      return nil
    }
    require(circle == nil, message(circle ?? []), file: file, line: line)
    wait()
    waits.withLock { $0[me] = nil }
  }

  private static func message(_ circle: [String]) -> String {
    if circle.count == 1 {
      return "scheduler \(circle[0]) cannot wait for its own end in one of its events; "
        + "use beginShutdown"
    }
    let names = circle.joined(separator: " and ")
    return "schedulers \(names) would wait for one another's end for ever; use beginShutdown, "
      + "or await shutdown() from a task"
  }
}
