import FrameBudget

@testable import Simulation

/// Threads that do what a list says, and then end.
struct ScriptedThreads: VirtualThreads {
  private(set) var scripts: PerThread<[Operation]>
  private var places: PerThread<Int>
  /// When each of a thread's operations was asked for.
  private(set) var times: PerThread<[Instant]>

  init(_ scripts: [[Operation]]) {
    self.scripts = PerThread(scripts)
    places = self.scripts.mapValues { _ in 0 }
    times = self.scripts.mapValues { _ in [] }
  }

  mutating func next(_ thread: ThreadIndex, at now: Instant, ready: TimeSpan) -> Operation {
    times[thread].append(now)
    defer { places[thread] += 1 }
    let place = places[thread]
    return place < scripts[thread].count ? scripts[thread][place] : .end
  }

  /// When `thread` was through with everything.
  func end(of thread: ThreadIndex) -> Instant? {
    times[thread].count > scripts[thread].count ? times[thread].last : nil
  }
}

extension Operation {
  /// Short forms, in nanoseconds.
  static func run(_ nanoseconds: Int64) -> Operation {
    .compute(TimeSpan(nanoseconds: nanoseconds))
  }
  static func sleep(_ until: Int64) -> Operation { .sleep(until: Instant(nanoseconds: until)) }
}

extension FairShare {
  /// Slices of `slice` nanoseconds, no credit for sleepers, and no thread gives way before its slice is over.
  static func slices(_ slice: Int64, credit: Int64 = 0, granularity: Int64? = nil) -> FairShare {
    FairShare(
      slice: TimeSpan(nanoseconds: slice), credit: TimeSpan(nanoseconds: credit),
      granularity: TimeSpan(nanoseconds: granularity ?? slice))
  }
}

/// Draws what threads did, a nanosecond a character: the number of the core on which one runs, `L` waits for a
/// lock, `-` is ready and has no core, `.` sleeps or waits for an event, nothing once it has ended.
func timeline(
  _ scripts: [[Operation]], _ priorities: [Priority], cores: Int = 1, speeds: [Int]? = nil,
  locks: [VirtualLock] = [], queues: [VirtualQueue] = [], sharing: FairShare = .slices(3),
  contextSwitch: Int64 = 0, length: Int
) -> [String] {
  var machine = VirtualMachine(
    ScriptedThreads(scripts), threads: priorities,
    speeds: speeds ?? Array(repeating: 1000, count: cores), locks: locks, queues: queues,
    sharing: sharing, contextSwitch: TimeSpan(nanoseconds: contextSwitch))
  var rows = scripts.map { _ in "" }
  for tick in 0..<length {
    machine.advance(to: Instant(nanoseconds: Int64(tick)))
    for thread in scripts.indices { rows[thread] += symbol(of: ThreadIndex(thread), in: machine) }
  }
  return rows.map { row in
    String(row.reversed().drop { $0 == " " }.reversed())
  }
}

private func symbol(
  of thread: ThreadIndex, in machine: borrowing VirtualMachine<ScriptedThreads>
) -> String {
  switch machine.threads[thread].state {
  case .running:
    for core in machine.cores.indices where machine.cores[core].thread == thread {
      return "\(core)"
    }
    return "?"
  case .ready: return "-"
  case .blocked: return machine.threads[thread].lock == nil ? "." : "L"
  case .sleeping, .waking: return "."
  case .ended: return " "
  }
}
