internal import FrameBudget
internal import FrameBudgetParsing

/// Gathers the data of one process.
struct KernelGatherer: KernelSink {
  let process: Int
  /// The threads of the process, and their numbers of slices.
  private let members: Set<Int>
  private let counts: [Int: Int]
  private(set) var names = InternedNames()
  private(set) var threads: [Int: ThreadBuilder] = [:]
  private(set) var order: [Int] = []
  private var places: [Int: Int32] = [:]
  private var scheduling = SchedulingGatherer()
  /// The vsyncs of apps, as reported by the display.
  private(set) var vsyncs: [Int64] = []
  private var vsyncName: Int
  private var marks = 0

  init(process: Int, of found: FoundThreads) {
    self.process = process
    members = found.threads(of: process)
    counts = found.counts(of: process)
    vsyncName = names.intern("VSYNC-app")
  }

  /// The number of kept values.
  var kept: Int { marks + vsyncs.count + scheduling.count }

  mutating func intern(_ name: Span<UInt8>) -> Int { names.intern(name) }

  mutating func mark(_ mark: AtraceMark, thread: Int, at instant: Int64, cpu: Int64?) {
    // A counter of surfaceflinger, for all processes.
    if case .counter(_, vsyncName, _) = mark { vsyncs.append(instant) }
    guard members.contains(thread) else { return }
    marks += 1
    switch mark {
    case .begin(_, let name):
      threads[noted(thread), default: ThreadBuilder()].begin(name, at: instant, cpu: cpu)
    case .end: threads[noted(thread), default: ThreadBuilder()].end(at: instant, cpu: cpu)
    case .counter: break
    }
  }

  mutating func switched(core: Int, from: Int, wasPreempted: Bool, to: Int, at instant: Int64) {
    scheduling.switched(
      core: core, from: members.contains(from) ? noted(from) : nil, wasPreempted: wasPreempted,
      to: members.contains(to) ? noted(to) : nil, at: instant)
  }

  mutating func woken(thread: Int, at instant: Int64) {
    if members.contains(thread) { scheduling.woken(noted(thread), at: instant) }
  }

  mutating func describe(thread: Int, process: Int?, name: String?) {
    guard members.contains(thread), let name, !name.isEmpty, name != "<...>" else { return }
    threads[noted(thread), default: ThreadBuilder()].name = name
  }

  /// Records a measure of the app, on a thread.
  mutating func measured(_ name: Int, from begin: Int64, to end: Int64, thread: Int) {
    guard members.contains(thread) else { return }
    marks += 1
    threads[noted(thread), default: ThreadBuilder()].measures.append(
      RecordedSlice(
        name: Int32(name), depth: 0, begin: .nanoseconds(begin), length: .nanoseconds(end - begin)))
  }

  /// Its index in `order`; nil for threads of other processes.
  mutating func index(of thread: Int) -> Int32? {
    members.contains(thread) ? places[noted(thread)] : nil
  }

  private mutating func noted(_ thread: Int) -> Int {
    if threads[thread] == nil {
      threads[thread] = ThreadBuilder(expecting: counts[thread] ?? 0)
      places[thread] = Int32(order.count)
      order.append(thread)
    }
    return thread
  }

  consuming func gathered(
    _ format: RecordingFormat, process: RecordedProcess, begin: Int64
  ) -> GatheredRecording {
    let schedules = scheduling.finished()
    if let schedules {
      for thread in order {
        threads[thread]?.schedule = schedules[thread] ?? ThreadSchedule()
      }
    }
    return GatheredRecording(
      format: format, process: process, begin: begin, names: names.names, threads: threads,
      order: order, vsyncs: vsyncs, cores: scheduling.cores)
  }
}
