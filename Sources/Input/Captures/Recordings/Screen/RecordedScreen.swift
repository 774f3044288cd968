package import FrameBudget

/// What a recording says about the screen: which frames the UI thread drew, and at which vsyncs something new was shown.
package struct RecordedScreen: Sendable {
  /// A vsync for which the UI thread drew.
  package struct Frame: Sendable {
    /// The vsync that it belongs to. That is later than `requested` if the thread was busy and the platform uses the newest
    /// vsync then.
    package fileprivate(set) var vsync: Int
    /// The vsync at which it was requested, and the time of that, in nanoseconds.
    package let requested: Int
    package let requestedAt: Int64
    /// The interval of the frame on the thread, and the parts of it that were drawing; in the rest it ran items.
    package var whole: Range<Int64>
    package var work: [Range<Int64>] = []
    /// When the second stage had finished it; nil if that was not recorded.
    package var ready: Int64?
    /// How long that stage worked on it, in nanoseconds; 0 if that was not recorded.
    fileprivate(set) var staged: Int64 = 0
    package var presented: Int64?
    /// Whether the platform calls it dropped, whatever it says of surfaces.
    fileprivate var isCalledDropped = true

    /// Whether it never reached the screen, as the platform says.
    package var isLost: Bool { isCalledDropped && presented == nil }
    package var begin: Int64 { whole.lowerBound }
    package var end: Int64 { whole.upperBound }
  }

  /// The source of what was shown.
  package enum Evidence: Sendable {
    /// The platform's verdict on each vsync.
    case verdicts
    /// The times at which frames reached the screen, as the platform reports them.
    case presents
    /// The ends of frames, by the rule of the scenario's screen.
    case rule
  }

  package let grid: VsyncGrid
  /// Whether the main loop is one of frames: each vsync has a frame, which handles everything that has arrived. Otherwise
  /// items run between frames.
  package let isFrameLoop: Bool
  /// Whether all slices that ran while a frame waited belong to one message.
  package let joinsSlices: Bool
  /// The vsync that a frame belongs to if it had to wait for the thread.
  package let frameTime: MainLoop.Events.FrameTime
  /// In the order of their vsyncs, without frames that changed nothing.
  package let frames: [Frame]
  package let evidence: Evidence
  /// For each vsync at which something was wanted: whether the screen got what the UI thread drew for it.
  package private(set) var shown: [Int: Bool] = [:]
  /// For each vsync with a verdict of the platform: whether its picture had something new of the UI thread.
  private let pictured: [Int: Bool]
  /// The number of frames with each verdict of the platform.
  package let verdicts: [RecordedFrame.Verdict: Int]
  /// The number of periods from a frame's vsync to the one that should show it.
  package let deadline: Int
  package let buffers: Int
  /// The stage after the UI thread.
  package let stage: RecordedStage
  /// The task in which the UI thread is in the recording's last period, if it takes longer than a period.
  private let hang: Range<Int64>?

  /// `busy` are the intervals in which the thread did other work within what the recording calls frames.
  package init(
    _ recording: Recording, _ grid: VsyncGrid, busy: [Range<Int64>] = [],
    isFrameLoop: Bool = false
  ) {
    self.grid = grid
    self.isFrameLoop = isFrameLoop
    let all = recording.frames
    let rules = PlatformRules(recording.format)
    joinsSlices = rules.joinsSlices
    let stated = Self.statedDeadline(all, grid)
    frameTime =
      recording.format == .framebudget
      ? Self.ownFrameTime(all, grid, stated ?? rules.deadline) : rules.loop.frameTime
    frames = Self.drawn(all, grid, frameTime, without: busy)
    verdicts = all.reduce(into: [:]) { counts, frame in
      if let verdict = frame.verdict { counts[verdict, default: 0] += 1 }
    }
    hang = Self.hang(recording, grid, drawn: frames.last?.end ?? .min)
    let presented = frames.filter { $0.presented != nil }
    if recording.format == .chrome, !verdicts.isEmpty, !Self.isOnGrid(presented, grid) {
      evidence = .verdicts
    } else {
      evidence = presented.count * 2 > frames.count ? .presents : .rule
    }
    let pictures = Pictures(all, grid)
    let lag = evidence == .verdicts ? Self.lag(frames, pictures, grid) : nil
    let usual = lag.map { $0 + 1 } ?? stated ?? Self.fastDelay(presented, grid) ?? rules.deadline
    deadline = min(max(usual, Pipeline.deadlines.lowerBound), Pipeline.deadlines.upperBound)
    buffers = max(rules.buffers, deadline)
    if let lag {
      stage = RecordedStage(frames, grid, lag: lag, pictures)
      let (isDue, isHung) = (
        Self.due(frames, pictures, grid, lag: lag), Self.hung(frames, hang, grid)
      )
      pictured = Self.byVerdict(
        all, grid, pictures, isDue: { isDue($0) || isHung($0 - lag) })
      shown = Dictionary(uniqueKeysWithValues: pictured.map { ($0.key - lag, $0.value) })
    } else {
      stage = RecordedStage(frames)
      pictured = [:]
      let last = recording.lastVsync.map { grid.vsync(nearest: $0.nanoseconds) }
      shown = byPresents(evidence == .presents, all, through: last)
      if rules.reportsNoHang || recording.isFrameWanted {
        for vsync in missed(in: hang, isFrameWanted: recording.isFrameWanted) {
          shown[vsync] = shown[vsync] ?? false
        }
      }
    }
  }

  /// The screen of a recording of another tool, by its frames alone.
  package init(_ recording: Recording) {
    let first = recording.frames.map(\.vsync.nanoseconds).min() ?? 0
    self.init(recording, VsyncGrid(recording, from: first))
  }

  /// The number of vsyncs at which something was wanted, and at which nothing new was shown then.
  package var expected: Int { shown.count }
  package var dropped: Int { shown.values.count { !$0 } }

  /// `drawn` is the end of the last frame.
  private static func hang(
    _ recording: Recording, _ grid: VsyncGrid, drawn: Int64
  ) -> Range<Int64>? {
    let slices = recording.threads.first?.slices ?? []
    let end = recording.length.nanoseconds - Int64(grid.period)
    func isHang(_ span: Range<Int64>) -> Bool {
      span.upperBound >= end && span.count > Int(grid.period)
    }
    let last = slices.last { $0.depth == 0 }?.span
    if let last, isHang(last) { return last }
    // The next task may have begun, but no frame.
    return slices.last { $0.depth == 0 && isHang($0.span) && $0.span.lowerBound >= drawn }?.span
  }

  /// Returns a function that says whether a frame of a vsync would have followed `hang`, where it is behind `frames`.
  private static func hung(
    _ frames: [Frame], _ hang: Range<Int64>?, _ grid: VsyncGrid
  ) -> (Int) -> Bool {
    guard let hang else { return { _ in false } }
    let first = max(
      grid.vsync(atOrBefore: hang.lowerBound), frames.last.map { $0.vsync + 1 } ?? .min)
    return { $0 >= first }
  }

  /// Those of them that the screen lacks, in order.
  private var hung: [Int] {
    let isHung = Self.hung(frames, hang, grid)
    return shown.lazy.filter { !$0.value && isHung($0.key) }.map(\.key).sorted()
  }

  /// The time behind the last frame in which a task that does not end keeps others from the screen; nil without one.
  package var openHang: Range<Int64>? {
    let drawn = frames.last?.end ?? .min
    let first = hung.lazy.map { grid.instant(of: $0) }.first { $0 >= drawn }
    guard let hang, let first, first < hang.upperBound else { return nil }
    return first..<hang.upperBound
  }

  /// The vsyncs at which a frame was requested, in order: those with a frame, and those without one where the next frame
  /// proves a request, or a task that does not end. For other vsyncs the recording does not say why no frame followed.
  package var wanted: [Int] {
    var wanted = Set(frames.map(\.requested)).union(hung)
    for (frame, next) in zip(frames, frames.dropFirst()) {
      wanted.formUnion(
        stride(from: frame.requested + 1, to: next.requested, by: 1).filter {
          wasWanted($0, between: frame, next)
        })
    }
    return wanted.sorted()
  }

  /// Whether a frame was requested at a vsync after that of `frame` and before that of `next`. It was if the platform uses
  /// the newest vsync and the next frame followed at once; or if the platform reports a missed picture and the next frame
  /// was requested by the time at which the thread became free.
  private func wasWanted(_ vsync: Int, between frame: Frame, _ next: Frame) -> Bool {
    if next.requested == frame.vsync + 1 { return shown[vsync] != nil }
    return pictured[vsync] == false
      && next.requested <= grid.vsync(atOrBefore: frame.end)
  }

  /// The number of frames that began more than a period after their vsyncs.
  package var lateBegins: Int {
    frames.count { grid.refresh.isOverBudget(.nanoseconds($0.begin - grid.instant(of: $0.vsync))) }
  }

  /// Whether frames were shown exactly at vsyncs, as only a screen's own report says.
  static func isOnGrid(_ presented: [Frame], _ grid: VsyncGrid) -> Bool {
    !presented.isEmpty
      && presented.allSatisfy { frame in
        guard let instant = frame.presented else { return false }
        return abs(grid.instant(of: grid.vsync(nearest: instant)) - instant) < 2000
      }
  }

  /// The median number of periods that the platform gives frames.
  private static func statedDeadline(_ all: [RecordedFrame], _ grid: VsyncGrid) -> Int? {
    let usual = all.compactMap { frame in frame.due.map { $0 - frame.vsync } }.middle
    return usual.map { Int((Double($0.nanoseconds) / grid.period).rounded()) }
  }

  /// The frame time of the project's own traces, whose frames state their vsyncs.
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

  /// The number of periods in which the fastest 10 % of frames reached the screen.
  private static func fastDelay(_ presented: [Frame], _ grid: VsyncGrid) -> Int? {
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
        ?? Frame(vsync: vsync, requested: vsync, requestedAt: frame.vsync.nanoseconds, whole: work)
      known.whole =
        min(known.whole.lowerBound, work.lowerBound)..<max(known.whole.upperBound, work.upperBound)
      known.work += work.without(busy)
      known.staged = max(known.staged, frame.stage.map { $0.upperBound - $0.lowerBound } ?? 0)
      known.ready = [known.ready, frame.ready?.nanoseconds].compactMap(\.self).max()
      known.presented = [known.presented, frame.presented?.nanoseconds].compactMap(\.self).max()
      known.isCalledDropped = known.isCalledDropped && frame.verdict == .dropped
      frames[vsync] = known
    }
    var newest = Int.min
    return frames.values.sorted { $0.requested < $1.requested }.map { frame in
      var frame = frame
      frame.work = frame.work.joined
      if frameTime == .newest {
        frame.vsync = max(frame.vsync, grid.vsync(atOrBefore: frame.begin))
        if newest != .min { frame.vsync = max(frame.vsync, newest + 1) }
        newest = frame.vsync
      }
      return frame
    }
  }
}

/// The defaults of platforms where a recording does not say how frames reach the screen.
package struct PlatformRules: Sendable {
  package let deadline: Int
  package let buffers: Int
  /// Whether frames wait in turn with other events, and which vsync they belong to then.
  package let loop: MainLoop.Events
  /// Whether frames run before messages, and one message may have several outermost slices.
  package let joinsSlices: Bool
  private let platform: ScreenPlatform?
  /// Whether an app names only measures of its own.
  private let namesAll: Bool
  /// Whether frames that were never drawn are recorded only by the next one.
  let reportsNoHang: Bool

  package init(_ format: RecordingFormat) {
    namesAll = format == .firefox || format == .sysprof
    reportsNoHang = format == .firefox
    platform = format.platform
    deadline = platform?.pipeline.deadline ?? 1
    buffers = platform?.pipeline.buffers ?? 1
    loop = platform?.mainLoop.events ?? MainLoop.Events()
    joinsSlices = platform == .android
  }

  /// Whether the platform uses this name for its own work or for any call into an app's code. None of that can move to a
  /// thread of the app.
  package func names(_ slice: String) -> Bool {
    guard let names = platform.flatMap({ Self.sliceNames[$0] }) else { return namesAll }
    return names.whole.contains(slice) || names.prefixes.contains { slice.hasPrefix($0) }
      || platform == .chrome && Self.isFunction(slice)
  }

  /// Whether a name is that of a C++ function, such as `LocalFrameView::RunPaintLifecyclePhase`: Chromium calls its slices by its
  /// functions, in hundreds of classes, and a page has none. The page's own names are not asked about.
  private static func isFunction(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic,
      let colons = name.firstRange(of: "::"), colons.upperBound < name.endIndex
    else { return false }
    return name.hasPrefix("auto ")
      || name[..<colons.lowerBound].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  private static let sliceNames: [ScreenPlatform: (whole: Set<String>, prefixes: [String])] = [
    // DevTools' models/trace/types/TraceEvents.ts.
    .chrome: (
      AppCalls.names.union([
        "ParseHTML", "ParseAuthorStyleSheet", "Layout", "UpdateLayoutTree", "RecalculateStyles",
        "PrePaint", "Paint", "Layerize", "Commit", "UpdateLayer", "UpdateLayerTree",
        "CompositeLayers", "HitTest", "MinorGC", "MajorGC", "GCEvent", "ScrollLayer", "Animation",
        "Decode Image", "Receive mojo message", "Receive mojo reply", "Send mojo message",
        "Closed mojo endpoint", "CommitLoad", "CullRectUpdate", "PaintImage",
        "InstallConditionalFeatures", "ContextCreatedNotification",
      ]),
      [
        "v8.", "V8.", "BlinkGC.", "CppGC.", "UserTiming", "IntersectionObserver",
        // Scopes and tasks without a function's name, in third_party/blink/renderer.
        "Blink.", "BlinkScheduler_", "AsyncTask ", "RunPendingMicrotask",
      ]
    ),
    // packages/flutter/lib/src: widgets/binding.dart, rendering/binding.dart, rendering/object.dart, foundation/binding.dart;
    // runtime/vm/heap/heap.cc of Dart; shell/common/vsync_waiter.cc of Flutter's engine.
    .flutter: (
      [
        "BUILD", "LAYOUT", "PAINT", "SEMANTICS", "COMPOSITING", "FINALIZE TREE", "POST_FRAME",
        "UPDATING COMPOSITING BITS", "LAYOUT (root)", "PAINT (root)", "SEMANTICS (root)",
        "UPDATING COMPOSITING BITS (root)", "Framework initialization", "CollectNewGeneration",
        "CollectOldGeneration", "VsyncProcessCallback",
      ], ["DartIsolate::"]
    ),
    // ViewRootImpl.java, Choreographer.java and ThreadedRenderer.java; runtime/gc/heap.cc of ART; AndroidX Compose's Recomposer
    // and AndroidComposeView, and RecyclerView without the app's code that it calls (CreateView, OnBindView).
    .android: (
      [
        "input", "animation", "traversal", "measure", "layout", "draw", "Record View#draw()",
        "postAndWait", "performTraversals", "RV OnLayout", "RV FullInvalidate",
        "RV PartialInvalidate", "RV Scroll",
      ],
      [
        "Compose:", "Recomposer:", "AndroidOwner:", "relayoutWindow", "deliverInputEvent",
        "ViewPostImeInputStage", "GC: Wait For Completion",
      ]
    ),
  ]
}

extension RecordedScreen {
  /// The number of frames that were not ready in time for the vsync that they belong to.
  package var missedDeadlines: Int {
    zip(frames, stage.ready).count { $1 > grid.instant(of: $0.vsync + deadline) }
  }

  /// The places in `frames` of those that were not ready in time for the vsync at which they were requested.
  ///
  /// A frame that waited for the thread may belong to a later vsync and meet that one; what it waited for made it late.
  package var lateFrames: [Int] {
    frames.indices.filter {
      stage.ready[$0] > grid.instant(of: frames[$0].requested + deadline)
    }
  }

  /// For each late frame: the interval from the vsync at which it was requested to the end of its work; and that of the frames
  /// that follow a task that does not end. In order, without overlaps.
  package var lateWindows: [Range<Int64>] {
    var windows: [Range<Int64>] = []
    for frame in lateFrames.map({ frames[$0] }) {
      let begin = max(grid.instant(of: frame.requested), windows.last?.upperBound ?? .min)
      if begin < frame.end { windows.append(begin..<frame.end) }
    }
    if let hang, let first = hung.first {
      let begin = max(grid.instant(of: first), windows.last?.upperBound ?? .min)
      if begin < hang.upperBound { windows.append(begin..<hang.upperBound) }
    }
    return windows
  }
}
