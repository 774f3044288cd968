internal import FrameBudget

/// A frame of a layer tree.
struct ChromeFrame {
  var frame: RecordedFrame
  /// The display, or other source, whose vsyncs its number counts.
  let source: Int
  /// Nil for a mark without one, which is a frame of its own.
  let number: Int?
  /// Whether the instant of its vsync was recorded; otherwise it has that of its first mark.
  let hasVsync: Bool
  /// From the time at which the compositor began it to its first drawing, in nanoseconds; nil if unknown.
  let composed: Int64?
  /// Without reporters: when the compositor drew it first, or else said that it was dropped; nil if neither.
  var ended: Int64?
  /// Whether the recording has the report of its picture, and neither the one nor the work of the main thread's part.
  var awaitsMainThread = false

  var isWanted: Bool { frame.verdict != .notWanted }

  /// Whether this frame's vsync is the next one after that of `other`.
  func follows(_ other: ChromeFrame) -> Bool {
    guard let number, let before = other.number else { return false }
    return source == other.source && before < .max && number == before + 1
  }

  /// The median span between frames with consecutive numbers; nil without such frames.
  static func period(of frames: [ChromeFrame]) -> TimeSpan? {
    let ordered = frames.sorted { ($0.source, $0.number ?? 0) < ($1.source, $1.number ?? 0) }
    let spans = zip(ordered, ordered.dropFirst()).compactMap { first, second in
      second.follows(first) && second.frame.vsync > first.frame.vsync
        ? second.frame.vsync - first.frame.vsync : nil
    }
    return spans.middle
  }
}

/// The frames of a layer tree, for `import` and for `learn`.
struct ChromeTree {
  let number: Int
  /// In the order of time.
  private let marks: [ChromeMark]
  /// By frame number: the main thread's part.
  private let works: [Int: Range<Int64>]

  /// `marks` are in the order of time.
  init(number: Int, _ marks: [ChromeMark], _ works: [Int: Range<Int64>]) {
    (self.number, self.marks, self.works) = (number, marks, works)
  }

  var first: Int64 { marks.first?.instant ?? 0 }
  var size: Int { marks.count }
  var reports: Int { marks.count { $0.kind == .report } }
  var begins: Int { marks.count { $0.kind == .begin } }
  /// Whether the trace marks dropped frames, if it has no reporters.
  var knowsDrops: Bool { marks.contains { $0.kind == .drop } }

  /// The frames: with reporters in the order of their vsyncs, else in that of their first marks. `openSince` is the time since
  /// which the main thread has been in a task that has not ended.
  func frames(openSince: Int64? = nil) -> [ChromeFrame] {
    guard reports > 0 else { return marked() }
    let reported = reported().sorted { $0.frame.vsync < $1.frame.vsync }
    let held = heldUp(in: reported)
    let missing = missing(in: [openSince.map { $0..<Int64.max }, held].compactMap(\.self))
    let frames =
      missing.isEmpty
      ? reported : (reported + missing).sorted { $0.frame.vsync < $1.frame.vsync }
    return Self.incomplete(frames, heldUp: held)
  }

  /// By frame number: the time from its `BeginFrame` to the first `DrawFrame`.
  private func compositions() -> [Int: Int64] {
    var begins: [Int: Int64] = [:]
    var spans: [Int: Int64] = [:]
    for mark in marks {
      guard let number = mark.number else { continue }
      if mark.kind == .begin, begins[number] == nil { begins[number] = mark.instant }
      if mark.kind == .draw, spans[number] == nil, let begin = begins[number] {
        spans[number] = mark.instant - begin
      }
    }
    return spans
  }

  // MARK: Reporters

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

  /// What the reporters of a frame say.
  private struct Reported {
    let identity: Identity
    let vsync: Int64
    var states = ChromeEvent.States()
    var pictures = Pictures()
    var isOnlyForked = true
  }

  private func reported() -> [ChromeFrame] {
    var found: [Reported] = []
    var places: [Identity: Int] = [:]
    for mark in marks {
      guard let number = mark.number, let state = mark.state else { continue }
      let identity = Identity(source: mark.source, number: number)
      let index = places[identity] ?? found.count
      if index == found.count {
        places[identity] = index
        found.append(Reported(identity: identity, vsync: mark.instant))
      }
      found[index].states.insert(state)
      found[index].isOnlyForked = found[index].isOnlyForked && mark.isForked
      if let end = mark.end { found[index].pictures.take(state, at: end) }
    }
    let compositions = compositions()
    return found.map { frame($0, composed: compositions[$0.identity.number]) }
  }

  private func frame(_ reported: Reported, composed: Int64?) -> ChromeFrame {
    let (identity, pictures) = (reported.identity, reported.pictures)
    var frame = RecordedFrame(
      vsync: .nanoseconds(reported.vsync), work: pictures.ofMainThread(works[identity.number]),
      verdict: reported.states.verdict)
    // The main thread's part of a frame that has no other report was in no picture yet.
    let isUnseen = reported.isOnlyForked && frame.work != nil
    let without = isUnseen ? pictures.ofFrame : pictures.withoutMainThread
    frame.presented = isUnseen ? nil : pictures.ofFrame.map { .nanoseconds($0) }
    frame.presentedWithout = without.map { .nanoseconds($0) }
    return ChromeFrame(
      frame: frame, source: identity.source, number: identity.number, hasVsync: true,
      composed: composed, awaitsMainThread: reported.isOnlyForked && works[identity.number] == nil)
  }

  /// Behind a frame whose main thread's part is not there yet, a compositor keeps at most so many frames to find out whether they
  /// lack it, and reports older ones as complete: `kMaxOwnedPartialUpdateDependents` in `compositor_frame_reporter.cc`.
  private static let mostKept = 300
  /// More than a pipeline holds when a recording ends: half a second at 60 Hz.
  private static let mostInFlight = 30

  /// The time for which the last frame's part of the main thread is held up: from its vsync until that begins, or for ever; nil if
  /// it is not. `frames` are those with reports, in order.
  private func heldUp(in frames: [ChromeFrame]) -> Range<Int64>? {
    let worked = frames.lastIndex { $0.frame.work != nil } ?? -1
    let awaited = frames[(worked + 1)...].first(where: \.awaitsMainThread)
    guard let last = awaited?.frame ?? frames[...worked].last?.frame else { return nil }
    let vsync = last.vsync.nanoseconds
    let held = vsync..<max(vsync, last.work?.lowerBound ?? .max)
    let begun = marks.count { $0.kind == .begin && held.contains($0.instant) }
    return begun > Self.mostInFlight ? held : nil
  }

  /// Returns the frames with those as shown in part that were reported as complete for that reason: they are behind a frame whose
  /// part the main thread began more than `mostKept` frames later, or not at all, which is the one at the begin of `heldUp`.
  private static func incomplete(_ frames: [ChromeFrame], heldUp: Range<Int64>?) -> [ChromeFrame] {
    var frames = frames
    var next = 0
    for held in frames.indices where held >= next {
      let isHeldUp =
        frames[held].awaitsMainThread
        && frames[held].frame.vsync.nanoseconds == heldUp?.lowerBound
      guard let begin = isHeldUp ? .max : frames[held].frame.work?.lowerBound else { continue }
      let end = frames.partitioningIndex { $0.frame.vsync.nanoseconds >= begin }
      guard end - held - 1 > mostKept else { continue }
      for place in held + 1..<end
      where frames[place].frame.verdict == .shown && frames[place].frame.work == nil {
        frames[place].frame.verdict = .partial
      }
      next = end
    }
    return frames
  }

  /// The frames that a compositor began in any of `spans`, and did not report. It begins none unless one is wanted; and while the
  /// main thread is in a task, it cannot know the result.
  private func missing(in spans: [Range<Int64>]) -> [ChromeFrame] {
    guard !spans.isEmpty else { return [] }
    let source = marks.last { $0.kind == .report }?.source ?? 0
    let reported = Set(marks.lazy.filter { $0.kind == .report }.map(\.number))
    return marks.compactMap { mark in
      guard mark.kind == .begin, spans.contains(where: { $0.contains(mark.instant) }),
        let number = mark.number, !reported.contains(number)
      else { return nil }
      return ChromeFrame(
        frame: RecordedFrame(vsync: .nanoseconds(mark.instant), verdict: .dropped),
        source: source, number: number, hasVsync: true, composed: nil)
    }
  }

  // MARK: Marks

  /// What the compositor says of a frame.
  private struct Marked {
    let number: Int?
    let first: Int64
    var begun: Int64?
    var drawn: Int64?
    var dropped: Int64?

    mutating func take(_ mark: ChromeMark) {
      switch mark.kind {
      case .begin: begun = begun ?? mark.instant
      case .draw: drawn = drawn ?? mark.instant
      case .drop: dropped = dropped ?? mark.instant
      case .report, .reportEnd: break
      }
    }

    /// A frame that was drawn and reported as dropped lacks the main thread's part.
    func verdict(knowsDrops: Bool) -> RecordedFrame.Verdict? {
      if drawn != nil { return dropped != nil ? .partial : .shown }
      if dropped != nil { return .dropped }
      return knowsDrops ? .notWanted : nil
    }
  }

  private func marked() -> [ChromeFrame] {
    var found: [Marked] = []
    var places: [Int: Int] = [:]
    for mark in marks {
      let index = mark.number.flatMap { places[$0] } ?? found.count
      if index == found.count {
        if let number = mark.number { places[number] = index }
        found.append(Marked(number: mark.number, first: mark.instant))
      }
      found[index].take(mark)
    }
    let (compositions, knowsDrops) = (compositions(), knowsDrops)
    return found.map { marked in
      ChromeFrame(
        frame: RecordedFrame(
          vsync: .nanoseconds(marked.begun ?? marked.first),
          work: marked.number.flatMap { works[$0] },
          verdict: marked.verdict(knowsDrops: knowsDrops)),
        source: 0, number: marked.number, hasVsync: marked.begun != nil && marked.number != nil,
        composed: marked.number.flatMap { compositions[$0] }, ended: marked.drawn ?? marked.dropped)
    }
  }
}
