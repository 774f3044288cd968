internal import FrameBudget
internal import FrameBudgetParsing

/// Profiles of Firefox, and those of samply with Firefox's markers.
struct GeckoRecording: RecordingReader {
  /// The name of the main thread in each process.
  static let mainThread = "GeckoMain"

  func index(_ input: RecordingInput) throws(InputError) -> FoundThreads {
    var counted = CountedThreads()
    var begin = Int64.max
    _ = try GeckoProfile.read(input) { (thread, _) throws(InputError) in
      let slices = thread.slices
      guard !slices.isEmpty else { return }
      let track = TraceTrack(process: thread.process.number, thread: thread.number)
      counted.processes[track.process] = thread.process.name
      counted[track].name = thread.name
      for slice in slices {
        counted[track].counter.add(from: slice.begin, length: slice.end - slice.begin)
        if slice.meaning == .tick { counted[track].frames += 1 }
        begin = min(begin, slice.begin)
      }
      if let excess = RecordingLimits.excess(threads: counted.count) { throw InputError(excess) }
    }
    let found = counted.found()
    guard !found.isEmpty else {
      throw InputError(
        "is a profile of Firefox, but holds no tasks of any thread; samples do not say when tasks began: record markers too"
      )
    }
    return FoundThreads(.firefox, found, begin: begin)
  }

  func read(
    _ input: RecordingInput, process: RecordedProcess, _ found: FoundThreads
  ) throws(InputError) -> GatheredRecording {
    var gatherer = GeckoGatherer(process.number, counts: found.counts(of: process.number))
    let profile = try GeckoProfile.read(input) { (thread, profile) throws(InputError) in
      gatherer.take(thread)
      if let excess = RecordingLimits.excess(kept: gatherer.kept, names: profile.names.size) {
        throw InputError(excess)
      }
    }
    return gatherer.gathered(process, profile, begin: found.begin)
  }
}

/// Gathers the data of one process.
private struct GeckoGatherer {
  private let process: Int
  private var threads: GatheredThreads
  private var frames = GeckoFrames()
  /// The begins of what Firefox calls long tasks.
  private var longTasks: [Int64] = []
  /// Whether the profile has any, of any process, and whether this one's main thread had a task as long.
  private var hasLongTasks = false
  private var wasLong = false
  private var slices = 0
  /// Intervals that are no slices.
  private var others = 0
  private var cutTasks = 0

  init(_ process: Int, counts: [Int: Int]) {
    self.process = process
    threads = GatheredThreads(expecting: counts)
  }

  /// The number of kept values.
  var kept: Int { slices + frames.count }

  mutating func take(_ thread: GeckoThread) {
    frames.take(thread)
    if !hasLongTasks { hasLongTasks = thread.intervals.contains { $0.meaning == .longTask } }
    guard thread.process.number == process else { return frames.takeOthers(thread) }
    let found = thread.slices
    threads[thread.number].name = thread.name
    for slice in found {
      threads[thread.number].add(
        Int(slice.name), from: slice.begin, length: slice.end - slice.begin, cpu: slice.cpu)
    }
    for measure in thread.intervals where measure.meaning == .timing {
      guard let name = measure.measure else { continue }
      threads[thread.number].measures.append(
        RecordedSlice(
          name: name, depth: 0, begin: .nanoseconds(measure.begin),
          length: .nanoseconds(measure.end - measure.begin)))
    }
    slices += thread.intervals.count
    others += thread.intervals.count { $0.meaning != .timing } - found.count
    cutTasks += thread.cutTasks
    frames.takeTicks(thread)
    longTasks += thread.intervals.filter { $0.meaning == .longTask }.map(\.begin)
    if thread.name == GeckoRecording.mainThread, !wasLong {
      let least = FrameThresholds.longTask.nanoseconds
      wasLong = thread.intervals.contains { $0.isTask && $0.end - $0.begin >= least }
    }
  }

  consuming func gathered(
    _ process: RecordedProcess, _ profile: GeckoProfile, begin: Int64
  ) -> GatheredRecording {
    let (found, period, ofFrames) = frames.found()
    var doubts = ofFrames
    if others > 0 {
      doubts.append("\(others) intervals are left out: they do not begin and end in one task")
    }
    if cutTasks > 0 {
      doubts.append(
        "\(cutTasks) tasks are left out: the profile lacks their begin or their end")
    }
    var timings: PlatformTimings? = .longTasks(longTasks)
    // A profile that marks none, although there may have been one, does not say.
    if wasLong, !hasLongTasks { timings = nil }
    return GatheredRecording(
      format: .firefox, process: process, begin: begin, names: profile.names.names,
      threads: threads, frames: found, timings: timings, period: period,
      cores: profile.cores, doubts: doubts)
  }
}
