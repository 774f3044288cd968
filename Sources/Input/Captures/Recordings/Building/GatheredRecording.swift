internal import FrameBudget
internal import FrameBudgetParsing

/// The data that a reader gathered of a process: instants on the clock of the file, slices in no order.
struct GatheredRecording {
  var format: RecordingFormat
  var process: RecordedProcess
  /// When the recording began.
  var begin: Int64
  var names: [String] = []
  /// Those of `names` that the app gave, beside the names of its measures.
  var ownNames: Set<String> = []
  var threads: GatheredThreads
  /// Arrows to the threads in their order.
  var flows = FlowPosts()
  var frames: [RecordedFrame] = []
  var stageMarks: [StageMark] = []
  /// The platform's own numbers; nil if it has none.
  var timings: PlatformTimings?
  /// The vsyncs, if nothing else in the recording describes frames.
  var vsyncs: [Int64]?
  var period: TimeSpan?
  var restartsVsyncs = false
  /// Whether the UI thread's last task keeps it from a frame that was wanted.
  var isFrameWanted = false
  /// The last vsync whose picture was recorded; nil if unknown.
  var lastVsync: Int64?
  var cores: Int?
  var doubts: [String] = []
  var omissions: [String] = []
  var page: String?
  /// From when on recording does not hold up the app; nil: from its begin.
  var settled: Int64?
  /// When handlers of key presses, clicks and touches began.
  var inputs: [Int64] = []

  /// The recording, with `uiThread` first, cut to `window`.
  consuming func recording(
    uiThread: Int, window: RecordingWindow
  ) throws(InputError) -> Recording {
    if let first = frames.first { begin = min(begin, first.vsync.nanoseconds) }
    let origin = begin
    let window = cutAtStart(window)
    let figures = timings?.figures { window.contains($0 - origin) } ?? []
    timings = nil
    let order = threads.order
    var assembly = RecordingBuilder(begin: begin, window: window, names: names, threads: order)
    let arrows = flows.arrows(threads: order.count)
    flows = FlowPosts()
    var built: [RecordedThread] = []
    for (index, number) in order.enumerated() {
      // Taken out, so that its memory is free as soon as it is built.
      guard let thread = threads.builders.removeValue(forKey: number), !thread.isEmpty
      else { continue }
      built.append(assembly.thread(thread, number: number, index: index, arrows[index]))
    }
    let first = built.firstIndex { $0.number == uiThread }
    built.insert(
      first.map { built.remove(at: $0) } ?? RecordedThread(number: uiThread, name: ""), at: 0)
    var kept = assembly.frames(frames)
    if vsyncs != nil, !kept.isEmpty {
      kept = FrameParts(built, names: names).refined(kept)
    } else if let vsyncs, let first = built.first {
      let android = AndroidFrames(assembly.moved(vsyncs))
      kept = android.frames(of: first, names: names)
      period = android.period
      if period == nil, let usual = AndroidFrames.period(of: kept.map(\.vsync.nanoseconds)) {
        period = usual
        doubts.append("no vsyncs were recorded: the period is the usual time between frames")
      }
    }
    let marks = stageMarks.map { mark in
      StageMark(instant: assembly.moved([mark.instant])[0], number: mark.number)
    }
    kept =
      FrameStage(format)?.noted(in: kept, built.dropFirst(), names: names, marks: marks) ?? kept
    guard built.contains(where: { !$0.slices.isEmpty }) || !kept.isEmpty else {
      let seconds = Decimal.text(Double(assembly.whole) / 1e9, places: 3)
      throw InputError(
        "holds nothing of \(process.label) in the part that was chosen"
          + (window.isAll ? "" : "; --from and --to must be within its \(seconds) s"))
    }
    checkPeriod()
    let gaps =
      assembly.length > InputTime.longestGap
      ? IdleGaps(built, kept, length: assembly.length, period: period) : nil
    if let gaps, !gaps.isEmpty {
      for index in built.indices { built[index] = gaps.moved(built[index]) }
      kept = kept.map { gaps.moved($0) }
    }
    let length = gaps?.moved(assembly.length) ?? assembly.length
    let last = lastVsync.map { assembly.moved([$0])[0] }.map { gaps?.moved($0) ?? $0 }
    let handled = assembly.moved(inputs).map { gaps?.moved($0) ?? $0 }.filter { 0...length ~= $0 }
    guard InputTime.spans.contains(length) else {
      throw InputError("lasts for more than a day in the part that was chosen")
    }
    return Recording(
      format: format, process: process, length: .nanoseconds(length),
      names: Self.used(names, in: &built), ownNames: ownNames.union(assembly.ownNames),
      threads: built, page: page, frames: kept, period: period,
      lastVsync: last.map { .nanoseconds($0) },
      inputs: handled.sorted().map { .nanoseconds($0) }, cores: cores,
      figures: figures + Self.figures(of: kept, format),
      doubts: doubts + assembly.doubts + (gaps?.doubts ?? []), omissions: omissions,
      restartsVsyncs: restartsVsyncs,
      isFrameWanted: isFrameWanted && window.end(assembly.whole) == assembly.whole)
  }

  /// The numbers of the platform's tools that follow from its frames.
  private static func figures(
    of frames: [RecordedFrame], _ format: RecordingFormat
  ) -> [RecordedFigure] {
    switch format {
    case .flutter: return RecordedFrame.flutterFigures(of: frames)
    case .chrome:
      let verdicts = frames.compactMap(\.verdict)
      let drops = RecordedFigure(.browserDrops, .count(verdicts.count { $0 == .dropped }))
      return verdicts.isEmpty ? [] : [drops]
    case .perfetto, .systrace, .instruments, .wayland, .firefox, .sysprof, .framebudget: return []
    }
  }

  /// The window without the start in which recording held up the app.
  private mutating func cutAtStart(_ window: RecordingWindow) -> RecordingWindow {
    guard let settled, let cut = window.beginning(at: settled - begin) else { return window }
    let seconds = Decimal.text(Double(settled - begin) / 1e9, places: 2)
    doubts.append(
      "the first \(seconds) s are left out: V8's profiler began in them, which holds up the page")
    return cut
  }

  /// Removes a period that no screen has.
  private mutating func checkPeriod() {
    guard let span = period, RefreshRate(period: span) == nil else { return }
    period = nil
    doubts.append("a period of \(span) between vsyncs fits no screen and is ignored")
  }

  /// The names that slices have; afterwards slices refer to these.
  private static func used(_ names: [String], in threads: inout [RecordedThread]) -> [String] {
    var places = [Int32](repeating: -1, count: names.count)
    var used: [String] = []
    for thread in threads.indices {
      for slice in threads[thread].slices.indices {
        let name = Int(threads[thread].slices[slice].name)
        if places[name] < 0 {
          places[name] = Int32(used.count)
          used.append(names[name])
        }
        threads[thread].slices[slice].name = places[name]
      }
    }
    return used
  }
}

/// Builds threads and frames, and collects warnings.
private struct RecordingBuilder {
  let begin: Int64
  let window: RecordingWindow
  /// The names of slices that only say that an app's code was called.
  private let entries: Set<Int32>
  private let names: [String]
  /// The names of the app's own measures.
  private(set) var ownNames: Set<String> = []
  /// The numbers of the threads, in their order.
  private let threads: [Int]
  /// The end of the last known event, since the recording's start.
  private var last: Int64 = 0
  private var unfinished = 0
  private var crossing = 0
  private var measures = 0
  private var farInstants = 0

  init(begin: Int64, window: RecordingWindow, names: [String], threads: [Int]) {
    self.begin = begin
    self.window = window
    self.threads = threads
    self.names = names
    entries = Set(
      names.indices.lazy.filter { AppCalls.contains(names[$0]) }.map { Int32($0) })
  }

  /// From the recording's start to the last known event.
  var whole: Int64 { last }

  /// From the start of the window to its end, or to that of the last known event.
  var length: Int64 { max(0, window.end(last) - window.begin) }

  mutating func thread(
    _ thread: consuming ThreadBuilder, number: Int, index: Int, _ arrows: [FlowPosts.Arrow]
  ) -> RecordedThread {
    let (name, added, schedule) = (thread.name, thread.measures, thread.schedule)
    let steps = thread.steps
    let (all, open) = thread.finished()
    unfinished += open
    let (nested, cut) = SliceNester.nest(all)
    crossing += cut
    func posts(_ arrows: [FlowPosts.Arrow]) -> [RecordedPost] {
      PostFinder(slices: nested, thread: index, numbers: threads).posts(arrows)
    }
    var built = RecordedThread(number: number, name: name, slices: nested, posts: posts(arrows))
    if !steps.isEmpty { built.steps = NumberedStep.placed(steps, in: nested) }
    if !added.isEmpty {
      ownNames.formUnion(Set(added.map(\.name)).map { names[Int($0)] })
      let selfPosts = posts(arrows.filter { $0.origin == Int32(index) })
      let (slices, leftOut) = MeasureFitter.fit(
        added, into: nested, entries: entries, selfPosts: selfPosts)
      measures += leftOut
      built.posts = Self.moved(built.posts, from: nested, to: slices)
      built.slices = slices
    }
    if let schedule { built.take(schedule) }
    return kept(of: built)
  }

  /// Translates posts of `slices` to indices of `others`, which has additional slices.
  private static func moved(
    _ posts: [RecordedPost], from slices: [RecordedSlice], to others: [RecordedSlice]
  ) -> [RecordedPost] {
    var index = 0
    var next = 0
    return posts.compactMap { post in
      while next <= post.slice {
        while index < others.count, !others[index].isSame(as: slices[next]) { index += 1 }
        next += 1
        index += 1
      }
      guard index <= others.count else { return nil }
      var post = post
      post.slice = index - 1
      return post
    }
  }

  /// Keeps the part in the window, which begins at time 0.
  private mutating func kept(of thread: consuming RecordedThread) -> RecordedThread {
    var thread = thread
    let origin = begin + window.begin
    var kept = 0
    var places = window.isAll ? nil : [Int](repeating: -1, count: thread.slices.count)
    var isInside = true
    for index in thread.slices.indices {
      var slice = thread.slices[index]
      last = max(last, slice.end.nanoseconds - begin)
      if slice.depth == 0 { isInside = window.contains(slice.begin.nanoseconds - begin) }
      guard isInside else { continue }
      slice.begin = .nanoseconds(slice.begin.nanoseconds - origin)
      places?[index] = kept
      thread.slices[kept] = slice
      kept += 1
    }
    thread.slices.removeLast(thread.slices.count - kept)
    thread.posts = thread.posts.compactMap { post in
      let slice = places?[post.slice] ?? post.slice
      guard slice >= 0 else { return nil }
      var post = post
      post.slice = slice
      post.instant = .nanoseconds(post.instant.nanoseconds - origin)
      return post
    }
    thread.steps = thread.steps.compactMap { step in
      var step = step
      step.slice = places?[step.slice] ?? step.slice
      return step.slice < 0 ? nil : step
    }
    thread.runs = thread.runs?.compactMap { inside($0) }
    thread.ready = thread.ready?.compactMap { inside($0) }
    return thread
  }

  /// The part of a span in the window, which begins at time 0.
  private mutating func inside(_ span: Range<Int64>) -> Range<Int64>? {
    last = max(last, span.upperBound - begin)
    let lower = max(span.lowerBound - begin, window.begin)
    let upper = window.end(span.upperBound - begin)
    guard lower < upper else { return nil }
    return (lower - window.begin)..<(upper - window.begin)
  }

  /// The instants, relative to the start of the window.
  func moved(_ instants: [Int64]) -> [Int64] { instants.map { $0 - begin - window.begin } }

  mutating func frames(_ frames: [RecordedFrame]) -> [RecordedFrame] {
    let origin = begin + window.begin
    return frames.compactMap { frame in
      last = max(last, frame.vsync.nanoseconds - begin)
      guard window.contains(frame.vsync.nanoseconds - begin) else { return nil }
      return frame.moved { isNear($0, frame) ? $0 - origin : nil }
    }
  }

  /// Whether an instant is plausible for a frame.
  private mutating func isNear(_ instant: Int64, _ frame: RecordedFrame) -> Bool {
    let isNear =
      InputTime.isWithinFrame(instant - frame.vsync.nanoseconds)
    if !isNear { farInstants += 1 }
    return isNear
  }

  var doubts: [String] {
    let all = [
      (unfinished, "began and never ended: they are left out"),
      (crossing, "ended behind the one around them: they are cut off at its end"),
    ].filter { $0.0 > 0 }.map { "\($0.0) slices \($0.1)" }
    let ofFrames =
      farInstants > 0
      ? [
        "\(farInstants) instants lie more than an hour from their frames' vsyncs: they are left out"
      ]
      : []
    let ofApp =
      measures > 0
      ? [
        "\(measures) of the app's own measures are left out: they do not begin and end in tasks"
      ]
      : []
    return all + ofFrames + ofApp
  }
}

extension RecordedSlice {
  fileprivate func isSame(as other: Self) -> Bool {
    (name, begin, length) == (other.name, other.begin, other.length)
  }
}

extension RecordedThread {
  /// Adds the scheduler's data to the thread and its slices.
  fileprivate mutating func take(_ schedule: ThreadSchedule) {
    runs = schedule.runs
    ready = schedule.ready
    let running = BusyIntervals(schedule.runs)
    for index in slices.indices {
      let slice = slices[index]
      slices[index].cpu = .nanoseconds(
        running.time(from: slice.begin.nanoseconds, to: slice.end.nanoseconds))
    }
    // A recorded post is more reliable than the wake-up after it.
    let known = Set(posts.map(\.slice))
    posts += schedule.posts(of: slices).filter { !known.contains($0.slice) }
    posts.sort { $0.slice < $1.slice }
  }
}
