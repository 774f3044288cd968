internal import FrameBudget
internal import FrameBudgetParsing

/// Captures of sysprof with the marks of GTK.
struct SysprofRecording: RecordingReader {
  func index(_ input: RecordingInput) throws(InputError) -> FoundThreads {
    let content = try SysprofContent(input, of: nil)
    var counted = CountedThreads()
    var begin = Int64.max
    for (number, process) in content.processes.sorted(by: { $0.key < $1.key }) {
      let name = process.name
      let thread = process.thread(task: content.names.task)
      guard thread.isOfGTK else { continue }
      let track = TraceTrack(process: number, thread: number)
      counted.processes[number] = name
      counted[track].frames = thread.frames.count
      for slice in thread.slices {
        counted[track].counter.add(from: slice.span.lowerBound, length: slice.length)
        begin = min(begin, slice.span.lowerBound)
      }
    }
    let found = counted.found()
    guard !found.isEmpty else {
      throw InputError(
        "is a sysprof capture, but holds no marks of GTK; record with: sysprof-cli --gtk --use-trace-fd FILE -- COMMAND"
      )
    }
    return FoundThreads(.sysprof, found, begin: begin)
  }

  func read(
    _ input: RecordingInput, process: RecordedProcess, _ found: FoundThreads
  ) throws(InputError) -> GatheredRecording {
    var content = try SysprofContent(input, of: process.number)
    let number = process.number
    let taken = content.processes.removeValue(forKey: number) ?? SysprofProcess()
    let thread = taken.thread(task: content.names.task)
    let names = content.names.interned.names
    var threads = GatheredThreads(expecting: found.counts(of: number))
    for slice in thread.slices {
      threads[number].add(Int(slice.name), from: slice.span.lowerBound, length: slice.length)
    }
    threads[number].measures = thread.measures.map { measure in
      RecordedSlice(
        name: measure.name, depth: 0, begin: .nanoseconds(measure.span.lowerBound),
        length: .nanoseconds(measure.length))
    }
    return GatheredRecording(
      format: .sysprof, process: process, begin: found.begin, names: names,
      ownNames: Set(thread.ownNames.map { names[Int($0)] }), threads: threads,
      frames: thread.frames, period: thread.period,
      doubts: thread.doubts
        + (content.isFinished
          ? []
          : ["the recorder was stopped before it had written all: the last marks may be missing"]))
  }
}

/// The content of a capture, by process.
private struct SysprofContent {
  var processes: [Int: SysprofProcess] = [:]
  private(set) var names = SysprofNames()
  private(set) var isFinished = false
  /// The number of marks and runs of all processes.
  private var kept = 0

  /// Four times that of a process: a capture of the whole machine has many, of which few are with GTK.
  private static let most = 1 << 25

  /// Keeps all processes, or `only` one of them.
  init(_ input: RecordingInput, of only: Int?) throws(InputError) {
    var capture = try SysprofCapture(try input.open())
    isFinished = capture.isFinished
    try capture.forEach { (record, bytes) throws(InputError) in
      guard only == nil || record.process == only else { return }
      try take(record, bytes)
      if let excess = excess(of: record.process) { throw InputError(excess) }
    }
  }

  /// The limit that is exceeded after a record of `process`; nil if none is.
  private func excess(of process: Int) -> String? {
    if kept > Self.most {
      return "more than \(Self.most) marks and samples of all processes; record a shorter time"
    }
    return RecordingLimits.excess(threads: processes.count)
      ?? RecordingLimits.excess(
        kept: processes[process]?.kept ?? 0, names: names.interned.size)
  }

  private mutating func take(
    _ record: SysprofRecord, _ bytes: Span<UInt8>
  ) throws(InputError) {
    switch record.kind {
    case .mark:
      let mark = try SysprofMark(record, bytes)
      let (meaning, name) = names.meaning(of: mark, bytes)
      processes[record.process, default: SysprofProcess()].take(mark.span, meaning, name: name)
      kept += 1
    case .sample:
      // Of the main thread alone.
      guard SysprofRecord.number(bytes, at: 28) == record.process, record.process > 0 else {
        return
      }
      guard InputTime.instants.contains(record.time) else {
        throw InputError("the sample's time is out of range")
      }
      if processes[record.process, default: SysprofProcess()].sample(at: record.time) { kept += 1 }
    case .process:
      let command = SysprofRecord.text(bytes, at: SysprofRecord.opening, longest: 1 << 10)
      let text = String(decoding: command.map { bytes[$0] }, as: UTF8.self)
      let program = text.prefix { $0 != " " }.split(separator: "/").last ?? ""
      processes[record.process, default: SysprofProcess()].name = String(program)
    case nil: break
    }
  }
}
