internal import FrameBudget

/// A run as events: a process with tracks for vsyncs, dropped frames, each thread, and each lock, and suspended items.
///
/// Frames, vsyncs and drops come from the records of frames, like those of the per-frame CSV; only the work of threads comes
/// from their traces. All tracks end with the run.
struct RunTrace {
  let row: ReportRow
  let trace: TraceLog
  let end: Instant
  let threads: PerThread<String>
  private let process: Int
  /// The flow number of each post, which its step also has.
  let flows: [TraceStep: Int]
  /// The number of the first wait of a suspended item.
  private let firstWait: Int

  init(_ row: ReportRow, _ trace: TraceLog, numbered numbers: inout TraceFile.Numbers) {
    self.row = row
    self.trace = trace
    end = .zero + row.log.duration
    threads = trace.plan.threadNames
    process = numbers.track
    numbers.track += threads.count + trace.plan.arrangement.locks.count + 2
    flows = Self.flows(in: trace, until: end, from: &numbers.flow)
    firstWait = numbers.flow
    numbers.flow += trace.suspended.spans.count
  }

  /// The number of pieces of the run's events.
  var parts: Int { tracks + 1 }

  private var tracks: Int { 2 + threads.count + trace.plan.arrangement.locks.count }

  func events(ofPart part: Int) -> [TraceEvent] {
    switch part {
    case 0: names
    case 1: screen
    case 2..<(2 + threads.count): events(of: ThreadIndex(part - 2))
    case tracks: suspended
    default: events(ofLock: LockIndex(part - 2 - threads.count))
    }
  }

  // MARK: Tracks

  /// The main thread has its process's number, by which viewers recognise it.
  func track(_ thread: ThreadIndex) -> TraceTrack { track(thread.position) }

  /// Locks follow the threads.
  func track(_ lock: LockIndex) -> TraceTrack { track(threads.count + lock.position) }

  private var vsyncTrack: TraceTrack { track(trace.plan.arrangement.locks.endIndex) }
  private var dropTrack: TraceTrack { track(tracks - 1) }

  private func track(_ place: Int) -> TraceTrack {
    TraceTrack(process: process, thread: process + place)
  }

  private var name: String {
    let repetition = row.repetition == 1 ? "" : "#\(row.repetition)"
    let parts = [
      row.log.scenario, row.log.strategy.label, row.changes, row.log.engine.rawValue, repetition,
      row.log.status == .interrupted ? "interrupted" : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private var names: [TraceEvent] {
    let locks = trace.plan.arrangement.locks.indices.map {
      (track($0), "lock \(trace.plan.arrangement.locks[$0].name)", TrackRole.lock)
    }
    let tracks =
      [(vsyncTrack, "vsyncs", TrackRole.screen), (dropTrack, "dropped frames", .screen)]
      + threads.indices.map { (track($0), threads[$0], .thread) } + locks
    let ofThreads = tracks.enumerated().flatMap { place, track in
      [
        TraceEvent.name(track.1, of: track.0, track.2),
        TraceEvent(.threadOrder, track.0, (.order, .number(String(place)))),
      ]
    }
    var run = TraceEvent(.process, track(.main), (.name, .text(name)))
    run.arguments += TraceArgument.ofRuns.map { argument, key in
      (argument, JSON.member(key.name, RunRecord.column(key).value(row.keys)).value)
    }
    return [
      run, TraceEvent(.processOrder, track(.main), (.order, .number(String(process)))),
    ] + ofThreads
  }

  // MARK: The screen

  /// Vsyncs, the drops at them, and each frame's begin and end.
  private var screen: [TraceEvent] {
    let frames = row.log.frames
    let vsyncs = (0..<frames.vsyncs).map { number in
      mark(.vsync, at: frames.refresh.vsync(number + 1), (.vsync, number + 1))
    }
    let drawn = frames.records.enumerated().flatMap { number, frame in
      let begin = frames.refresh.vsync(frame.beginVsync)
      return [mark(.begin, at: begin, (.screenFrame, number))]
        + (frame.presentVsync <= frames.vsyncs
          ? [mark(.draw, at: frame.ready, (.screenFrame, number))] : [])
    }
    return vsyncs + drawn + frames.records.enumerated().flatMap(drops)
  }

  /// A mark across all threads at each vsync at which this frame should have been shown.
  private func drops(_ number: Int, _ frame: FrameRecord) -> [TraceEvent] {
    frame.droppedVsyncs.map { vsync in
      TraceEvent(
        name: ScreenEvent.drop.rawValue, category: .dropped, track: dropTrack,
        kind: .mark(row.log.frames.refresh.vsync(vsync), acrossProcess: true),
        arguments: [
          (.screenFrame, .number(String(number))), (.vsync, .number(String(vsync))),
          (.cause, .text(frame.cause(at: vsync)?.name ?? "")),
        ])
    }
  }

  private func mark(
    _ event: ScreenEvent, at instant: Instant, _ number: (of: TraceArgument, is: Int)
  ) -> TraceEvent {
    TraceEvent(
      name: event.rawValue, category: .screen, track: vsyncTrack,
      kind: .mark(instant, acrossProcess: false),
      arguments: [(number.of, .number(String(number.is)))])
  }
}

// The work of the threads.
extension RunTrace {
  /// Everything on the track of `thread`, outer spans before those within them.
  func events(of thread: ThreadIndex) -> [TraceEvent] {
    let frames = thread == .main ? row.log.frames.records.enumerated().flatMap(spans) : []
    let activities = trace.threads[thread].spans.compactMap { event(of: $0, on: thread) }
    let parts = thread == .main ? self.parts(of: activities) : []
    let spans = (frames + activities + parts).sorted { Self.isBefore($0, $1) }
    return spans.flatMap { [$0.event] + arrows(at: $0) } + loss(on: thread)
  }

  /// A span of a track: its position and, if an arrow can point to it, its place.
  fileprivate struct Placed {
    let event: TraceEvent
    let begin: Instant
    let end: Instant
    /// 0 for frames, 1 for phases, 2 for spans within phases.
    let depth: Int
    var activity: TraceActivity?
  }

  private static func isBefore(_ left: Placed, _ right: Placed) -> Bool {
    if left.begin != right.begin { return left.begin < right.begin }
    return left.end == right.end ? left.depth < right.depth : left.end > right.end
  }

  // MARK: Frames

  private func spans(of number: Int, _ frame: FrameRecord) -> [Placed] {
    let due = row.log.frames.refresh.vsync(frame.beginVsync)
    let event = TraceEvent(
      name: frame.dropped > 0 ? "late frame" : "frame", category: .frame, track: track(.main),
      kind: .span(frame.begin, frame.workEnd),
      arguments: TraceArgument.ofFrames.compactMap { argument, column in
        column.value(number, frame).map { (argument, JSON($0)) }
      })
    // The wait after the wake-up is on the track.
    let woken = min(due + frame.spans[.wakeup], frame.begin)
    let wakeup = TraceEvent(
      name: "late wake-up", category: .wakeup, track: track(.main), kind: .span(due, woken))
    return [Placed(event: event, begin: frame.begin, end: frame.workEnd, depth: 0)]
      + (woken > due ? [Placed(event: wakeup, begin: due, end: woken, depth: 0)] : [])
  }

  /// The named parts of drawing in `activities`, the spans of the main thread: they come first, in their order. What took time
  /// from drawing is divided among them by their costs.
  private func parts(of activities: [Placed]) -> [Placed] {
    guard !trace.plan.frameParts.isEmpty else { return [] }
    let waits = activities.filter { if case .partWait = $0.activity { true } else { false } }
    let (waitBegins, waitEnds) = (Set(waits.map(\.begin)), Set(waits.map(\.end)))
    return activities.filter { $0.activity == .phase(.render) }.flatMap { drawing -> [Placed] in
      let frames = row.log.frames.records
      let next = frames.partitioningIndex { $0.begin > drawing.begin }
      guard next > 0, drawing.begin < frames[next - 1].workEnd,
        !waitEnds.contains(drawing.begin)
      else { return [] }
      let isWhole = !waitBegins.contains(drawing.end)
      return parts(of: drawing, in: frames[next - 1], isWhole: isWhole)
    }
  }

  /// `isWhole`: whether the drawing behind the parts belongs to `drawing`, too, as there is no wait for prepared parts between.
  private func parts(of drawing: Placed, in frame: FrameRecord, isWhole: Bool) -> [Placed] {
    let span = drawing.end - drawing.begin
    let own = frame.parts.reduce(.zero) { $0 + $1.span }
    let rest = isWhole ? trace.plan.drawingWithoutParts(vsync: frame.beginVsync) : .zero
    let all = drawing.end < end ? own + rest : span
    guard all > .zero else { return [] }
    var done = TimeSpan.zero
    func instant() -> Instant {
      return span == all
        ? drawing.begin + done
        : drawing.begin + span.multiplied(by: done.inSeconds / all.inSeconds)
    }
    return frame.parts.filter { $0.span > .zero }.compactMap { part in
      let begin = instant()
      done += part.span
      let end = min(instant(), drawing.end)
      // On threads, drawing may end a little before the run.
      guard begin < end else { return nil }
      let event = TraceEvent(
        name: part.name, category: .phase, track: track(.main), kind: .span(begin, end))
      return Placed(event: event, begin: begin, end: end, depth: 2)
    }
  }

  // MARK: Activities

  /// Nil if the span begins after the run's end, and for holding a lock, which has its own track.
  private func event(of span: TraceSpan, on thread: ThreadIndex) -> Placed? {
    guard span.begin < end || span.end == end, span.begin >= .zero else { return nil }
    let (name, category, arguments): (String, TraceEvent.Category, [TraceEvent.Argument])
    var depth = 2
    switch span.activity {
    case .phase(let phase):
      (name, category, arguments) = (phase.name, .phase, [])
      depth = 1
    case .lockWait(let lock):
      let lock = trace.plan.arrangement.locks[lock].name
      (name, category, arguments) = (Phase.lockWait.name, .lock, [(.lock, .text(lock))])
    case .step(let place):
      (name, category, arguments) = (self.name(of: place), .step, words(about: place))
    case .post(let place):
      (name, category, arguments) = ("post to \(target(of: place))", .post, words(about: place))
    case .preempted: (name, category, arguments) = (Phase.preempted.name, .preempted, [])
    case .earlyPart(let part):
      (name, category, arguments) = (trace.plan.frameParts[part].name, .phase, [])
    case .partWait(let part):
      let part = trace.plan.frameParts[part].name
      (name, category, arguments) = (Phase.lockWait.name, .lock, [(.name, .text(part))])
    case .lockHold, .suspended: return nil
    }
    let last = min(span.end, end)
    return Placed(
      event: TraceEvent(
        name: name, category: category, track: track(thread), kind: .span(span.begin, last),
        arguments: arguments),
      begin: span.begin, end: last, depth: depth, activity: span.activity)
  }

  private func name(of place: TraceStep) -> String {
    let workload = trace.plan.workloads[place.workload].workload
    return "\(workload.name)/\(workload.steps[Int(place.step)].name)"
  }

  private func words(about place: TraceStep) -> [TraceEvent.Argument] {
    let workload = trace.plan.workloads[place.workload].workload
    let item: [TraceEvent.Argument] = [
      (.workload, .text(workload.name)), (.item, .number(String(place.item))),
    ]
    guard workload.steps.indices.contains(Int(place.step)) else { return item }
    let step = workload.steps[Int(place.step)]
    let service = trace.plan.scenario.services[step.service].name
    return item + [(.step, .text(step.name)), (.service, .text(service))]
  }

  private func target(of place: TraceStep) -> String {
    let steps = trace.plan.workloads[place.workload].steps
    let lane = steps.indices.contains(Int(place.step)) ? steps[Int(place.step)].lane : .main
    return trace.plan.arrangement.lanes[lane].name
  }

  /// Marks the places where spans were lost because the buffer was full.
  private func loss(on thread: ThreadIndex) -> [TraceEvent] {
    let trace = trace.threads[thread]
    guard trace.lost > 0 else { return [] }
    let last = min(trace.spans.last?.end ?? .zero, end)
    return [
      TraceEvent(
        name: "TRACE FULL", category: .trace, track: track(thread),
        kind: .mark(last, acrossProcess: true),
        arguments: [(.lost, .number(String(trace.lost)))])
    ]
  }

  // MARK: Locks

  /// The holders of the lock over time; they take turns, so its track never has two spans at once.
  func events(ofLock lock: LockIndex) -> [TraceEvent] {
    let held = trace.threads.indices.flatMap { thread in
      trace.threads[thread].spans.filter {
        $0.activity == .lockHold(lock) && $0.begin < end
      }.map { (thread, $0) }
    }
    return held.sorted { $0.1.begin < $1.1.begin }.map { thread, span in
      TraceEvent(
        name: threads[thread], category: .lockHold, track: track(lock),
        kind: .span(span.begin, min(span.end, end)))
    }
  }

  // MARK: Suspended items

  /// The waits of suspended items, by what they wait for.
  private var suspended: [TraceEvent] {
    trace.suspended.spans.enumerated().flatMap { number, span -> [TraceEvent] in
      guard case .suspended(let place) = span.activity, span.begin < end else { return [] }
      let step = trace.plan.workloads[place.workload].workload.steps[Int(place.step)]
      let resource = step.suspension?.resource.map { trace.plan.scenario.resources[$0].name }
      let name = resource.map { "waiting for \($0)" } ?? "suspended"
      let arguments = resource.map { [(.resource, .text($0))] as [TraceEvent.Argument] } ?? []
      func event(_ kind: TraceEvent.Kind, _ arguments: [TraceEvent.Argument]) -> TraceEvent {
        TraceEvent(
          name: name, category: .suspended, track: track(.main), kind: kind, arguments: arguments)
      }
      let id = firstWait + number
      return [
        event(.waitBegin(span.begin, id), words(about: place) + arguments),
        event(.waitEnd(min(span.end, end), id), []),
      ]
    }
  }

  // MARK: Flows

  /// A number for each post with a step that ran.
  static func flows(
    in trace: TraceLog, until end: Instant, from number: inout Int
  ) -> [TraceStep: Int] {
    var begun: Set<TraceStep> = []
    for thread in trace.threads {
      for span in thread.spans where span.begin < end {
        if case .step(let place) = span.activity { begun.insert(place) }
      }
    }
    var flows: [TraceStep: Int] = [:]
    for thread in trace.threads {
      for span in thread.spans where span.begin < end {
        guard case .post(let place) = span.activity, begun.contains(place) else { continue }
        flows[place] = number
        number += 1
      }
    }
    return flows
  }

  private func arrows(at span: Placed) -> [TraceEvent] {
    func arrow(_ place: TraceStep, _ kind: (Int) -> TraceEvent.Kind) -> [TraceEvent] {
      flows[place].map { number in
        [
          TraceEvent(
            name: "post", category: .flow, track: span.event.track, kind: kind(number))
        ]
      } ?? []
    }
    switch span.activity {
    case .post(let place): return arrow(place) { .flowBegin(span.begin, $0) }
    case .step(let place): return arrow(place) { .flowEnd(span.begin, $0) }
    default: return []
    }
  }
}

/// `--trace`: runs in Chrome's trace format, a process for each, a track for each thread.
///
///     var file = TraceFile()
///     output.write(TraceFile.head)
///     for row in rows { file.write(row) { output.write($0) } }
///     output.write(TraceFile.tail)
public struct TraceFile: Sendable {
  private var numbers = Numbers()
  private var isEmpty = true

  /// Numbers that are unique in a file, for processes, threads and flows.
  struct Numbers {
    var track = 1
    var flow = 1
  }

  public init() {}

  public static let head = TraceEvent.head
  public static let tail = TraceEvent.tail

  /// Writes a traced run, piece by piece.
  public mutating func write<Failure: Error>(
    _ row: ReportRow, to output: (String) throws(Failure) -> Void
  ) throws(Failure) {
    guard let trace = row.log.trace else { preconditionFailure("a run that was traced") }
    let run = RunTrace(row, trace, numbered: &numbers)
    var piece = ""
    for part in 0..<run.parts {
      for event in run.events(ofPart: part) {
        piece += (isEmpty ? "" : TraceEvent.separator) + event.line
        isEmpty = false
        guard piece.utf8.count > 1 << 16 else { continue }
        try output(piece)
        piece = ""
      }
    }
    try output(piece)
  }
}
