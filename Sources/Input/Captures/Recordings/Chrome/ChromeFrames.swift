internal import FrameBudget

/// The frames of a process, in the order of their vsyncs.
struct FoundFrames {
  var frames: [RecordedFrame]
  /// That of vsyncs; nil if unknown.
  var period: TimeSpan?
  /// Instants at which a thread after the UI thread worked on the frame with a number.
  var stageMarks: [StageMark] = []
}

/// Frames of a process in a Chrome trace, from the available data: reporters, or marks of the compositor or of Flutter's
/// engine.
struct ChromeFrames {
  /// The data that is kept of an event.
  private struct Mark {
    enum Kind { case begin, draw, drop, report, reportEnd }

    var kind: Kind
    var state: ChromeEvent.State?
    var instant: Int64
    /// The number of the frame; nil if unknown.
    var number: Int?
    var source: Int
    var tree: Int
    var identity: UInt64
  }

  private var marks: [Mark] = []
  /// The times at which main threads began their parts of frames, and committed them.
  private var mainBegins: [Int64] = []
  private var commits: [(frame: Int, begin: Int64, end: Int64)] = []
  /// In traces without `devtools.timeline`: by frame number, the main thread's part.
  private var mainFrames: [Int: Range<Int64>] = [:]
  private var flutter = FlutterFrames()

  mutating func take(_ event: ChromeEvent) {
    switch event.kind {
    case .mainBegin: mainBegins.append(event.instant)
    case .commit where event.phase == .complete:
      if let frame = event.frame {
        commits.append((frame, event.instant, event.instant + event.length))
      }
    case .mainFrame where event.phase == .complete:
      if let frame = event.frame {
        mainFrames[frame] = event.instant..<(event.instant + event.length)
      }
    case .report where event.isOfFrames: mark(event, as: .report)
    case .report where event.phase == .asyncEnd: mark(event, as: .reportEnd)
    case .begin: mark(event, as: .begin)
    case .draw: mark(event, as: .draw)
    case .drop: mark(event, as: .drop)
    case .flutterVsync, .flutterBegin, .flutterProduced, .flutterRaster: flutter.take(event)
    default: break
    }
  }

  private mutating func mark(_ event: ChromeEvent, as kind: Mark.Kind) {
    marks.append(
      Mark(
        kind: kind, state: event.state, instant: event.instant, number: event.frame,
        source: event.source, tree: event.stream.tree, identity: event.identity))
  }

  /// `openSince` is the time since which the main thread has been in a task that has not ended.
  consuming func found(openSince: Int64? = nil) -> FoundFrames {
    if marks.isEmpty, !flutter.isEmpty { return flutter.found() }
    marks.sort { $0.instant < $1.instant }
    let isReported = marks.contains { $0.kind == .report }
    let numbered = isReported ? reported() + missing(since: openSince) : marked()
    let frames = numbered.map(\.frame).sorted { $0.vsync < $1.vsync }
    return FoundFrames(frames: frames, period: Self.period(numbered))
  }

  private struct Numbered {
    var frame: RecordedFrame
    var source: Int
    var number: Int
  }

  /// The median span between frames with consecutive numbers.
  private static func period(_ frames: [Numbered]) -> TimeSpan? {
    let ordered = frames.sorted { ($0.source, $0.number) < ($1.source, $1.number) }
    let spans = zip(ordered, ordered.dropFirst()).compactMap { first, second in
      first.source == second.source && second.number - 1 == first.number
        && second.frame.vsync > first.frame.vsync ? second.frame.vsync - first.frame.vsync : nil
    }
    return spans.isEmpty ? nil : spans.sorted()[spans.count / 2]
  }

  // MARK: Reporters

  private struct Reported {
    var index: Int
    var state: ChromeEvent.State
  }

  /// The times at which the pictures in a frame's reports were on the screen.
  private struct Pictures {
    private var whole: Int64?
    private var partial: Int64?
    private var hasNothing = false

    mutating func take(_ state: ChromeEvent.State, at instant: Int64) {
      switch state {
      case .all: whole = min(whole ?? .max, instant)
      case .partial: partial = min(partial ?? .max, instant)
      case .notWanted: hasNothing = true
      case .dropped: break
      }
    }

    /// The main thread's `work` for the frame, unless a report shows that it was not used: a picture from before the end of the
    /// work has none of it, and is the compositor's alone.
    func ofMainThread(_ work: Range<Int64>?) -> Range<Int64>? {
      guard let work, hasNothing, let ofFrame, ofFrame < work.upperBound else { return work }
      return nil
    }

    /// The first picture with all of the frame: one without the main thread's part may have come before.
    var ofFrame: Int64? { whole ?? partial }
    /// The first picture without that part, if there is one with it too.
    var withoutMainThread: Int64? { whole == nil ? nil : partial }
  }

  private struct Identity: Hashable {
    var source: Int
    var number: Int
  }

  private func reported() -> [Numbered] {
    let works = works()
    let tree = busiestTree(of: .report)
    var frames: [Numbered] = []
    var states: [ChromeEvent.States] = []
    var places: [Identity: Int] = [:]
    var pictures: [Pictures] = []
    var open: [UInt64: Reported] = [:]
    for mark in marks {
      if mark.kind == .reportEnd, let reported = open.removeValue(forKey: mark.identity) {
        pictures[reported.index].take(reported.state, at: mark.instant)
      }
      guard mark.kind == .report, mark.tree == tree, let state = mark.state else { continue }
      let identity = Identity(source: mark.source, number: mark.number ?? 0)
      let index = places[identity] ?? frames.count
      if index == frames.count {
        places[identity] = index
        states.append(ChromeEvent.States())
        pictures.append(Pictures())
        frames.append(
          Numbered(
            frame: RecordedFrame(vsync: .nanoseconds(mark.instant), work: works[identity.number]),
            source: identity.source, number: identity.number))
      }
      states[index].insert(state)
      open[mark.identity] = Reported(index: index, state: state)
    }
    for index in frames.indices {
      frames[index].frame.verdict = states[index].verdict
      frames[index].frame.presented = pictures[index].ofFrame.map { .nanoseconds($0) }
      frames[index].frame.presentedWithout = pictures[index].withoutMainThread.map {
        .nanoseconds($0)
      }
      frames[index].frame.work = pictures[index].ofMainThread(frames[index].frame.work)
    }
    return frames
  }

  /// The frames that a compositor began since `instant` and did not report. It begins none unless one is wanted; and while the
  /// main thread is in a task, it cannot know the result.
  private func missing(since instant: Int64?) -> [Numbered] {
    guard let instant else { return [] }
    let tree = busiestTree(of: .report)
    let source = marks.last { $0.kind == .report && $0.tree == tree }?.source ?? 0
    let reported = Set(marks.lazy.filter { $0.kind == .report && $0.tree == tree }.map(\.number))
    return marks.compactMap { mark in
      guard mark.kind == .begin, mark.tree == tree, mark.instant >= instant,
        let number = mark.number, !reported.contains(number)
      else { return nil }
      return Numbered(
        frame: RecordedFrame(vsync: .nanoseconds(mark.instant), verdict: .dropped),
        source: source, number: number)
    }
  }

  /// By frame number: the interval in which the main thread worked on its part.
  private func works() -> [Int: Range<Int64>] {
    if commits.isEmpty { return mainFrames }
    let begins = mainBegins.sorted()
    var works: [Int: Range<Int64>] = [:]
    var next = 0
    for commit in commits.sorted(by: { $0.begin < $1.begin }) where works[commit.frame] == nil {
      var begin = commit.begin
      while next < begins.count, begins[next] <= commit.begin {
        begin = begins[next]
        next += 1
      }
      works[commit.frame] = begin..<commit.end
    }
    return works
  }

  /// The layer tree with the most marks of a kind.
  private func busiestTree(of kind: Mark.Kind) -> Int {
    var counts: [Int: Int] = [:]
    for mark in marks where mark.kind == kind { counts[mark.tree, default: 0] += 1 }
    return counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key ?? 0
  }

  // MARK: Marks

  /// The compositor's result of a frame.
  private struct CompositorOutcome {
    var isDrawn = false
    var isDropped = false

    /// A frame that was drawn and reported as dropped lacks the main thread's part.
    func verdict(knowsDrops: Bool) -> RecordedFrame.Verdict? {
      if isDrawn { return isDropped ? .partial : .shown }
      if isDropped { return .dropped }
      return knowsDrops ? .notWanted : nil
    }
  }

  private func marked() -> [Numbered] {
    let tree = busiestTree(of: .begin)
    var outcomes: [Int: CompositorOutcome] = [:]
    for mark in marks where mark.tree == tree {
      guard let number = mark.number else { continue }
      if mark.kind == .draw { outcomes[number, default: CompositorOutcome()].isDrawn = true }
      if mark.kind == .drop { outcomes[number, default: CompositorOutcome()].isDropped = true }
    }
    let knowsDrops = outcomes.values.contains(where: \.isDropped)
    let works = works()
    var seen: Set<Int> = []
    return marks.compactMap { mark in
      guard mark.kind == .begin, mark.tree == tree, let number = mark.number,
        seen.insert(number).inserted
      else { return nil }
      let outcome = outcomes[number] ?? CompositorOutcome()
      return Numbered(
        frame: RecordedFrame(
          vsync: .nanoseconds(mark.instant), work: works[number],
          verdict: outcome.verdict(knowsDrops: knowsDrops)),
        source: 0, number: number)
    }
  }
}
