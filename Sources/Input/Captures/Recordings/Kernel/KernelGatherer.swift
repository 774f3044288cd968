internal import FrameBudget
internal import FrameBudgetParsing

/// Gathers the data of one process.
struct KernelGatherer: KernelSink {
  let process: Int
  /// The threads of the process.
  private let members: Set<Int>
  private(set) var names = InternedNames()
  private var threads: GatheredThreads
  private var scheduling = SchedulingGatherer()
  /// The vsyncs of apps, as reported by the display.
  private(set) var vsyncs: [Int64] = []
  private var vsyncName: Int
  /// By thread: its requests as a client of Wayland.
  private var requests: [Int: WaylandRequests] = [:]
  /// By thread: when it waited for events.
  private var rests: [Int: RestTimes] = [:]
  /// The last instant of the recording, as far as it is known.
  private var last = Int64.min
  private var marks = 0

  init(process: Int, of found: FoundThreads) {
    self.process = process
    members = found.threads(of: process)
    threads = GatheredThreads(expecting: found.counts(of: process))
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
      threads[thread].begin(name, at: instant, cpu: cpu)
    case .end: threads[thread].end(at: instant, cpu: cpu)
    case .counter: break
    }
  }

  mutating func switched(core: Int, from: Int, wasPreempted: Bool, to: Int, at instant: Int64) {
    scheduling.switched(
      core: core, from: member(from), wasPreempted: wasPreempted, to: member(to), at: instant)
  }

  mutating func woken(thread: Int, by waker: Int?, at instant: Int64) {
    if let thread = member(thread) { scheduling.woken(thread, by: waker, at: instant) }
  }

  mutating func called(_ name: Int, thread: Int, from begin: Int64, to end: Int64) {
    guard members.contains(thread) else { return }
    marks += 1
    threads[thread].add(name, from: begin, length: end - begin)
  }

  mutating func requested(
    _ request: WaylandRequest, of surface: Int?, thread: Int, at instant: Int64
  ) {
    guard members.contains(thread) else { return }
    marks += 1
    requests[thread, default: WaylandRequests()].add(request, of: surface, at: instant)
  }

  mutating func used(
    _ use: WaylandCallback, of callback: Int, thread: Int, at instant: Int64
  ) {
    guard members.contains(thread) else { return }
    marks += 1
    requests[thread, default: WaylandRequests()].add(use, of: callback, at: instant)
  }

  mutating func awaits(_ begins: Bool, thread: Int, at instant: Int64) {
    guard members.contains(thread) else { return }
    marks += 1
    rests[thread, default: RestTimes()].add(begins, at: instant)
  }

  mutating func halted(thread: Int, at instant: Int64) {
    // It rests until its next known system call. Without such calls, its other rests are not known either.
    rests[thread]?.add(true, at: instant)
  }

  mutating func reached(_ instant: Int64) { last = max(last, instant) }

  mutating func describe(thread: Int, process: Int?, name: String?) {
    guard members.contains(thread), let name, !name.isEmpty, name != "<...>" else { return }
    threads[thread].name = name
  }

  /// Records a measure of the app, on a thread.
  mutating func measured(_ name: Int, from begin: Int64, to end: Int64, thread: Int) {
    guard members.contains(thread) else { return }
    marks += 1
    threads[thread].measures.append(
      RecordedSlice(
        name: Int32(name), depth: 0, begin: .nanoseconds(begin), length: .nanoseconds(end - begin)))
  }

  /// Its place among the threads of the process; nil for threads of others.
  mutating func place(of thread: Int) -> Int32? {
    members.contains(thread) ? threads.place(of: thread) : nil
  }

  private mutating func member(_ thread: Int) -> Int? { place(of: thread).map { _ in thread } }

  consuming func gathered(
    _ format: RecordingFormat, process: RecordedProcess, begin: Int64
  ) -> GatheredRecording {
    let schedules = scheduling.finished()
    if let schedules {
      for thread in threads.order {
        threads[thread].schedule = schedules[thread] ?? ThreadSchedule()
      }
    }
    var gathered = GatheredRecording(
      format: format, process: process, begin: begin, threads: threads, vsyncs: vsyncs,
      cores: scheduling.cores)
    if format == .wayland { addFrames(to: &gathered) }
    gathered.names = names.names
    return gathered
  }

  /// The frames of the thread that requests most frames for a surface, else commits most, and its tasks.
  private mutating func addFrames(to gathered: inout GatheredRecording) {
    gathered.vsyncs = nil
    let client = requests.mapValues(\.drawn).max {
      ($0.value.frames.count, $0.value.commits.count, $1.key)
        < ($1.value.frames.count, $1.value.commits.count, $0.key)
    }
    guard let client, let schedule = threads[client.key].schedule else { return }
    let calls = threads[client.key].slices
    // Other threads that draw can rest in a lock: a toolkit's thread wakes them.
    let rests = client.key == process ? rests[client.key] : nil
    let frames = WaylandFrames(
      client.value, schedule, until: last, rests: rests, calls: calls, members: members)
    for task in frames.tasks(with: calls) {
      gathered.threads[client.key].add(
        names.intern("Task"), from: task.lowerBound, length: task.upperBound - task.lowerBound)
    }
    (gathered.frames, gathered.period) = (frames.frames, frames.period)
    (gathered.doubts, gathered.restartsVsyncs) = (frames.doubts, frames.restartsVsyncs)
    gathered.isFrameWanted = frames.isWantedAtEnd
  }
}
