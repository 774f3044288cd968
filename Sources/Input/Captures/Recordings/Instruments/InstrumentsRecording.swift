internal import FrameBudget
internal import FrameBudgetParsing

/// Exports of Instruments: the busy times of run loops, the times in which Swift tasks ran, and signposts. Others of its tables
/// are passed, except those without slices alone.
struct InstrumentsRecording: RecordingReader {
  /// The name of the thread in all processes.
  static let mainThread = "Main Thread"

  func index(_ input: RecordingInput) throws(InputError) -> FoundThreads {
    var counters: [Int: TaskCounter] = [:]
    var threads: [Int: RecordingIndex.Thread] = [:]
    var order: [Int] = []
    var begin = Int64.max
    var schema = ""
    try XctraceTables.read(try input.open()) { row throws(InputError) in
      schema = row.schema
      guard let slice = try InstrumentsSlice(row) else { return }
      begin = min(begin, slice.begin)
      if threads[slice.thread] == nil {
        order.append(slice.thread)
        if let excess = RecordingLimits.excess(threads: order.count) { throw InputError(excess) }
        threads[slice.thread] = RecordingIndex.Thread(
          process: slice.process, number: slice.thread, name: slice.threadName, slices: 0, tasks: 0)
      }
      counters[slice.thread, default: TaskCounter()].add(from: slice.begin, length: slice.length)
    }
    guard !order.isEmpty else { throw Self.refusal(of: schema) }
    var found: [RecordingIndex.Thread] = []
    for number in order {
      guard var thread = threads[number], var counter = counters[number] else { continue }
      counter.finish()
      (thread.slices, thread.tasks) = (counter.slices, counter.tasks())
      found.append(thread)
    }
    return FoundThreads(.instruments, found, begin: begin)
  }

  private static func refusal(of schema: String) -> InputError {
    if schema.isEmpty { return XctraceTables.withoutRows }
    return InputError(
      "is an export of Instruments without slices (\(InputError.quoted(schema))); supported: runloop-intervals, "
        + "SwiftTaskStateTable and OSSignpostIntervals; 'framebudget import' reads hitches, hangs, vsyncs and pictures"
    )
  }

  func read(
    _ input: RecordingInput, process: RecordedProcess, _ found: FoundThreads
  ) throws(InputError) -> GatheredRecording {
    var gatherer = InstrumentsGatherer(process: process.number)
    try XctraceTables.read(try input.open()) { row throws(InputError) in
      if let slice = try InstrumentsSlice(row) { gatherer.take(slice) }
      gatherer.takePost(try InstrumentsPost(row))
      if let excess = RecordingLimits.excess(kept: gatherer.kept, names: gatherer.names.size) {
        throw InputError(excess)
      }
    }
    return gatherer.gathered(process, begin: found.begin)
  }
}

/// A row that says that a thread ran something.
struct InstrumentsSlice {
  /// The source of the slice.
  enum Kind { case runLoop, task, signpost }

  let kind: Kind
  let name: String
  let begin: Int64
  let length: Int64
  let thread: Int
  let threadName: String
  let process: RecordedProcess
  /// The Swift task that ran; nil for others.
  let task: String?

  /// Nil for rows that do not.
  init?(_ row: borrowing XctraceTables) throws(InputError) {
    var column = "thread"
    var task: String?
    switch row.schema {
    case "runloop-intervals" where row.label("interval-type") == "Busy":
      (kind, name) = (.runLoop, "Task")
    case "SwiftTaskStateTable" where row.label("state") == "Running":
      kind = .task
      task = row.label("task")
      name = task.map { XctraceTables.name($0, before: " (") } ?? "Task"
    // An interval that ends on another thread ran on neither all along.
    case "OSSignpostIntervals"
    where row.thread("start-thread")?.number == row.thread("end-thread")?.number:
      (kind, name) = (.signpost, row.label("name") ?? "signpost")
      column = "start-thread"
    default: return nil
    }
    guard let found = row.thread(column), let process = row.process() ?? found.process else {
      return nil
    }
    (thread, threadName, self.process) = (found.number, found.name, process)
    begin = try row.instant("start")
    length = try row.length()
    self.task = task
  }
}

/// A row that says since when a Swift task waited to run on an actor.
struct InstrumentsPost {
  let task: String
  let begin: Int64
  let end: Int64

  init?(_ row: borrowing XctraceTables) throws(InputError) {
    guard row.schema == "SwiftTaskStateTable", row.cell("enqueued-actor") != nil,
      let task = row.label("task")
    else { return nil }
    self.task = task
    begin = try row.instant("start")
    end = begin + (try row.length())
  }
}

/// Gathers the slices of one process.
private struct InstrumentsGatherer {
  private let process: Int
  private(set) var names = InternedNames()
  private var threads = GatheredThreads()
  private var flows = FlowPosts()
  /// By task: since when it waits, and until when.
  private var waiting: [String: InstrumentsPost] = [:]
  private var signposts: [Int: [InstrumentsSlice]] = [:]
  /// Threads with the tasks of a run loop or of Swift.
  private var busy: Set<Int> = []
  private(set) var kept = 0

  init(process: Int) { self.process = process }

  mutating func take(_ slice: InstrumentsSlice) {
    guard slice.process.number == process else { return }
    kept += 1
    if threads.known(slice.thread) == nil { threads[slice.thread].name = slice.threadName }
    guard slice.kind != .signpost else {
      signposts[slice.thread, default: []].append(slice)
      return
    }
    busy.insert(slice.thread)
    threads[slice.thread].add(
      names.intern(slice.name), from: slice.begin, length: slice.length)
    guard let task = slice.task, let post = waiting.removeValue(forKey: task),
      post.end <= slice.begin
    else { return }
    flows.add(
      FlowPosts.Arrow(from: post.begin, to: slice.begin, target: .task),
      to: threads.place(of: slice.thread))
  }

  mutating func takePost(_ post: InstrumentsPost?) {
    if let post { waiting[post.task] = post }
  }

  consuming func gathered(_ process: RecordedProcess, begin: Int64) -> GatheredRecording {
    for (thread, slices) in signposts {
      for slice in slices {
        let name = names.intern(slice.name)
        // In a recording of tasks they are the app's names for parts of them, which may cross.
        if busy.contains(thread) {
          threads[thread].measures.append(
            RecordedSlice(
              name: Int32(name), depth: 0, begin: .nanoseconds(slice.begin),
              length: .nanoseconds(slice.length)))
        } else {
          threads[thread].add(name, from: slice.begin, length: slice.length)
        }
      }
    }
    return GatheredRecording(
      format: .instruments, process: process, begin: begin, names: names.names, threads: threads,
      flows: flows)
  }
}
