internal import FrameBudget
internal import Recordings

/// What a recording says of the screen: which frames the UI thread drew, and at which vsyncs something new was shown.
struct RecordedScreen: Sendable {
  /// A vsync for which the UI thread drew.
  struct Frame: Sendable {
    /// To which it belongs; behind the one at which it was wanted where the thread was busy and a platform takes the
    /// newest one then.
    fileprivate(set) var vsync: Int
    /// At which it was wanted, and when that was.
    let requested: Int
    let asked: Int64
    /// When the thread was at it, and when it drew: in the rest it ran items.
    var whole: Range<Int64>
    var work: [Range<Int64>] = []
    /// When what comes behind the thread was through with it, too; nil where that was not recorded.
    var ready: Int64?
    var presented: Int64?

    var begin: Int64 { whole.lowerBound }
    var end: Int64 { whole.upperBound }
  }

  /// Where it is known from what was shown.
  enum Evidence: Sendable {
    /// The platform says of each vsync what became of it.
    case verdicts
    /// The platform says when frames reached the screen.
    case presents
    /// From when their work ended, by the rule of the scenario's screen.
    case rule
  }

  let grid: VsyncGrid
  /// Whether frames take up what has arrived, and there is one at every vsync; else items run between frames.
  let isFrameLoop: Bool
  /// Whether what ran while a frame waited was all of one message.
  let joinsSlices: Bool
  /// To which vsync a frame belongs that had to wait for the thread.
  let frameTime: MainLoop.Events.FrameTime
  /// In order of their vsyncs; those that changed nothing are not among them.
  let frames: [Frame]
  let evidence: Evidence
  /// By vsync to which frames belong, whether the screen got what the UI thread drew; only where something was wanted.
  private(set) var shown: [Int: Bool] = [:]
  /// By vsync of the platform's verdicts, whether a picture was made then that had something new of the UI thread.
  private let pictured: [Int: Bool]
  /// How many frames the platform gave each verdict.
  let verdicts: [RecordedFrame.Verdict: Int]
  /// Periods from a frame's vsync to the one that shows it.
  let deadline: Int
  let buffers: Int
  /// What comes behind the UI thread.
  let stage: RecordedStage

  /// `busy` is when the thread did other work within what the recording calls frames.
  init(
    _ recording: Recording, _ grid: VsyncGrid, busy: [Range<Int64>] = [],
    isFrameLoop: Bool = false
  ) {
    self.grid = grid
    self.isFrameLoop = isFrameLoop
    let all = recording.frames
    let rules = PlatformRules(recording.format)
    joinsSlices = rules.joinsSlices
    let told = Self.told(all, grid)
    frameTime =
      recording.format == .framebudget
      ? Self.ownFrameTime(all, grid, told ?? rules.deadline) : rules.loop.frameTime
    frames = Self.drawn(all, grid, frameTime, without: busy)
    verdicts = all.reduce(into: [:]) { counts, frame in
      if let verdict = frame.verdict { counts[verdict, default: 0] += 1 }
    }
    let presented = frames.filter { $0.presented != nil }
    if recording.format == .chrome, !verdicts.isEmpty, !Self.isOnGrid(presented, grid) {
      evidence = .verdicts
    } else {
      evidence = presented.count * 2 > frames.count ? .presents : .rule
    }
    let pictures = Pictures(all, grid)
    let lag = evidence == .verdicts ? Self.lag(frames, pictures) : nil
    let usual = lag.map { $0 + 1 } ?? told ?? Self.seen(presented, grid) ?? rules.deadline
    deadline = min(max(usual, Pipeline.deadlines.lowerBound), Pipeline.deadlines.upperBound)
    buffers = max(rules.buffers, deadline)
    if let lag {
      stage = RecordedStage(frames, grid, lag: lag, pictures)
      pictured = Self.byVerdict(
        all, grid, pictures, isDue: Self.due(frames, pictures, lag: lag))
      shown = Dictionary(uniqueKeysWithValues: pictured.map { ($0.key - lag, $0.value) })
    } else {
      stage = RecordedStage(frames)
      pictured = [:]
      shown = byPresents(evidence == .presents, all)
    }
  }

  /// How many vsyncs were wanted, and at how many of them nothing new was shown.
  var expected: Int { shown.count }
  var dropped: Int { shown.values.count { !$0 } }

  /// At which vsyncs something asked for a frame, in order: those for which one was drawn, and of those without one where
  /// the frame that came next says so. Of others nobody knows why no frame followed.
  var wanted: [Int] {
    var wanted = Set(frames.map(\.requested))
    for (frame, next) in zip(frames, frames.dropFirst()) {
      wanted.formUnion(
        stride(from: frame.requested + 1, to: next.requested, by: 1).filter {
          wasWanted($0, between: frame, next)
        })
    }
    return wanted.sorted()
  }

  /// Whether something asked for a frame at a vsync behind that of `frame` and before that of `next`: where a platform takes
  /// frames for the newest vsync, and the next one followed right behind that; and where the platform says that one was
  /// missing, and the next one had come by the time that the thread was free, so it took over at once.
  private func wasWanted(_ vsync: Int, between frame: Frame, _ next: Frame) -> Bool {
    if next.requested == frame.vsync + 1 { return shown[vsync] != nil }
    return pictured[vsync] == false
      && next.requested <= grid.vsync(atOrBefore: frame.end)
  }

  /// How many frames began more than a period behind the vsync that they belong to.
  var lateBegins: Int {
    frames.count { grid.refresh.isOverBudget(.nanoseconds($0.begin - grid.instant(of: $0.vsync))) }
  }

  /// Whether frames were shown at vsyncs exactly, as only a screen's own account says it.
  static func isOnGrid(_ presented: [Frame], _ grid: VsyncGrid) -> Bool {
    !presented.isEmpty
      && presented.allSatisfy { frame in
        guard let instant = frame.presented else { return false }
        return abs(grid.instant(of: grid.vsync(nearest: instant)) - instant) < 2000
      }
  }

  /// How many periods the platform gives frames, in the middle.
  private static func told(_ all: [RecordedFrame], _ grid: VsyncGrid) -> Int? {
    let spans = all.compactMap { frame in frame.due.map { $0 - frame.vsync } }.sorted()
    guard !spans.isEmpty else { return nil }
    return Int((Double(spans[spans.count / 2].nanoseconds) / grid.period).rounded())
  }

  /// By frames of the project's own, which say to which vsync they belong.
  private static func ownFrameTime(
    _ all: [RecordedFrame], _ grid: VsyncGrid, _ deadline: Int
  ) -> MainLoop.Events.FrameTime {
    let keepsVsync = all.contains { frame in
      guard let work = frame.work, let due = frame.due else { return false }
      return grid.vsync(nearest: due.nanoseconds) - deadline
        < grid.vsync(atOrBefore: work.lowerBound)
    }
    return keepsVsync ? .posted : .newest
  }

  /// How many periods the fastest frames took to the screen.
  private static func seen(_ presented: [Frame], _ grid: VsyncGrid) -> Int? {
    let delays = presented.compactMap { frame in
      frame.presented.map { grid.vsync(atOrAfter: $0) - frame.vsync }
    }.sorted()
    return delays.isEmpty ? nil : delays[delays.count / 10]
  }

  private static func drawn(
    _ all: [RecordedFrame], _ grid: VsyncGrid, _ frameTime: MainLoop.Events.FrameTime,
    without busy: [Range<Int64>]
  ) -> [Frame] {
    var frames: [Int: Frame] = [:]
    for frame in all where frame.verdict != .notWanted {
      guard let work = frame.work, !work.isEmpty else { continue }
      let vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
      var known =
        frames[vsync]
        ?? Frame(vsync: vsync, requested: vsync, asked: frame.vsync.nanoseconds, whole: work)
      known.whole =
        min(known.whole.lowerBound, work.lowerBound)..<max(known.whole.upperBound, work.upperBound)
      known.work += work.without(busy)
      known.ready = [known.ready, frame.ready?.nanoseconds].compactMap(\.self).max()
      known.presented = [known.presented, frame.presented?.nanoseconds].compactMap(\.self).max()
      frames[vsync] = known
    }
    var newest = Int.min
    return frames.values.sorted { $0.requested < $1.requested }.map { frame in
      var frame = frame
      if frameTime == .newest {
        frame.vsync = max(frame.vsync, grid.vsync(atOrBefore: frame.begin))
        if newest != .min { frame.vsync = max(frame.vsync, newest + 1) }
        newest = frame.vsync
      }
      return frame
    }
  }
}

/// How platforms take frames to the screen, where a recording does not say it.
struct PlatformRules: Sendable {
  let deadline: Int
  let buffers: Int
  /// Whether a frame waits its turn among other events, and which vsync it belongs to then.
  let loop: MainLoop.Events
  /// Whether frames go before messages, and one message may have several outermost slices.
  let joinsSlices: Bool
  private let platform: ScreenPlatform?

  init(_ format: RecordingFormat) {
    platform = format.platform
    deadline = platform?.pipeline.deadline ?? 1
    buffers = platform?.pipeline.buffers ?? 1
    loop = platform?.mainLoop.events ?? MainLoop.Events()
    joinsSlices = platform == .android
  }

  /// Whether the platform calls its own work so, or calls of an app's code whatever that does. None of it can move to a
  /// thread of the app.
  func names(_ slice: String) -> Bool {
    guard let names = platform.flatMap({ Self.sliceNames[$0] }) else { return false }
    return names.whole.contains(slice) || names.prefixes.contains { slice.hasPrefix($0) }
  }

  private static let sliceNames: [ScreenPlatform: (whole: Set<String>, prefixes: [String])] = [
    // DevTools' models/trace/types/TraceEvents.ts.
    .chrome: (
      AppCalls.names.union([
        "ParseHTML", "ParseAuthorStyleSheet", "Layout", "UpdateLayoutTree", "RecalculateStyles",
        "PrePaint", "Paint", "Layerize", "Commit", "UpdateLayer", "UpdateLayerTree",
        "CompositeLayers", "HitTest", "MinorGC", "MajorGC",
      ]), ["v8.", "V8.", "BlinkGC.", "UserTiming", "IntersectionObserver"]
    ),
    // packages/flutter/lib/src/widgets/binding.dart and rendering/binding.dart.
    .flutter: (
      [
        "BUILD", "LAYOUT", "PAINT", "SEMANTICS", "COMPOSITING", "FINALIZE TREE", "POST_FRAME",
        "UPDATING COMPOSITING BITS",
      ], []
    ),
    // ViewRootImpl.java, Choreographer.java and ThreadedRenderer.java; AndroidX Compose's Recomposer and AndroidComposeView.
    .android: (
      [
        "input", "animation", "traversal", "measure", "layout", "draw", "Record View#draw()",
        "postAndWait", "performTraversals",
      ], ["Compose:", "Recomposer:", "AndroidOwner:", "relayoutWindow", "deliverInputEvent"]
    ),
  ]
}
