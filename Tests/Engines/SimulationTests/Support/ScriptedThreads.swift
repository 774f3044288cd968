import FrameBudget

@testable import FrameBudgetSimulation

/// Threads that do what a list says, and then end.
struct ScriptedThreads: VirtualThreads {
  private(set) var scripts: PerThread<[Operation]>
  private var places: PerThread<Int>
  /// When each of a thread's operations was asked for.
  private(set) var times: PerThread<[Instant]>
  /// For how long each waited for a core, and for how long of that other processes had it.
  private(set) var waits: PerThread<(all: TimeSpan, others: TimeSpan)>

  init(_ scripts: [[Operation]]) {
    self.scripts = PerThread(scripts)
    places = self.scripts.mapValues { _ in 0 }
    times = self.scripts.mapValues { _ in [] }
    waits = self.scripts.mapValues { _ in (.zero, .zero) }
  }

  mutating func next(_ thread: ThreadIndex, at now: Instant, ready: TimeSpan) -> Operation {
    times[thread].append(now)
    defer { places[thread] += 1 }
    let place = places[thread]
    return place < scripts[thread].count ? scripts[thread][place] : .end
  }

  mutating func waitedForCore(
    _ thread: ThreadIndex, from: Instant, to: Instant, others: TimeSpan
  ) {
    waits[thread].all += to - from
    waits[thread].others += others
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

extension VirtualMachine where Threads: ~Copyable {
  /// With threads of these priorities that may run on every core.
  init(
    _ program: consuming Threads, threads priorities: [Priority], speeds: [Int],
    locks: [VirtualLock] = [], queues: [VirtualQueue] = [], sharing: FairShare,
    contextSwitch: TimeSpan = .zero, scheduler: Machine.Scheduler = .global, others: Int = 0
  ) {
    self.init(
      program, threads: priorities.map { ThreadRequest($0) }, speeds: speeds, locks: locks,
      queues: queues, sharing: sharing, contextSwitch: contextSwitch, scheduler: scheduler,
      others: others)
  }
}

extension FairShare {
  /// Slices of `slice` nanoseconds, and threads that any core may pull.
  static func slices(_ slice: Int64, warm: Int64 = 0, tick: Int64? = nil) -> FairShare {
    var share = FairShare(
      slice: TimeSpan(nanoseconds: slice), warm: TimeSpan(nanoseconds: warm),
      tick: TimeSpan(nanoseconds: tick ?? slice))
    share.loadPeriod = TimeSpan(nanoseconds: max(share.tick.nanoseconds / 4, 1))
    return share
  }
}

/// Draws what threads did, a nanosecond a character: the number of the core on which one runs, `L` waits for a
/// lock, `-` is ready and has no core, `.` sleeps or waits for an event, nothing once it has ended.
func timeline(
  _ scripts: [[Operation]], _ priorities: [Priority], cores: Int = 1, speeds: [Int]? = nil,
  locks: [VirtualLock] = [], queues: [VirtualQueue] = [], sharing: FairShare = .slices(3),
  contextSwitch: Int64 = 0, scheduler: Machine.Scheduler = .global, on: [[Int]?] = [], length: Int
) -> [String] {
  var threads = priorities.map { ThreadRequest($0) }
  for (place, cores) in on.enumerated() {
    threads[place].cores = cores.flatMap { CoreSet($0) } ?? .all
  }
  var machine = VirtualMachine(
    ScriptedThreads(scripts), threads: threads,
    speeds: speeds ?? Array(repeating: 1000, count: cores), locks: locks, queues: queues,
    sharing: sharing, contextSwitch: TimeSpan(nanoseconds: contextSwitch), scheduler: scheduler)
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
