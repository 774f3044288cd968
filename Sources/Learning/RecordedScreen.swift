internal import FrameBudget
internal import Recordings

/// What a recording says of the screen: which frames the UI thread drew, and at which vsyncs something new was shown.
struct RecordedScreen: Sendable {
  /// A vsync for which the UI thread drew.
  struct Frame: Sendable {
    let vsync: Int
    /// When it drew.
    var work: [Range<Int64>]
    var presented: Int64?

    var begin: Int64 { work.map(\.lowerBound).min() ?? 0 }
    var end: Int64 { work.map(\.upperBound).max() ?? 0 }
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
  /// In order of their vsyncs; those that changed nothing are not among them.
  let frames: [Frame]
  let evidence: Evidence
  /// By vsync to which frames belong, whether the screen got what the UI thread drew; only where something was wanted.
  private(set) var shown: [Int: Bool] = [:]
  /// How many frames the platform gave each verdict.
  let verdicts: [RecordedFrame.Verdict: Int]
  /// Periods from a frame's vsync to the one that shows it.
  let deadline: Int
  let buffers: Int
  /// What comes behind the UI thread, at least, in nanoseconds.
  let compositor: Int64

  init(_ recording: Recording, _ grid: VsyncGrid) {
    self.grid = grid
    let all = recording.frames
    frames = Self.drawn(all, grid)
    verdicts = all.reduce(into: [:]) { counts, frame in
      if let verdict = frame.verdict { counts[verdict, default: 0] += 1 }
    }
    let rules = PlatformRules(recording.format)
    let presented = frames.filter { $0.presented != nil }
    if recording.format == .chrome, !verdicts.isEmpty, !Self.isOnGrid(presented, grid) {
      evidence = .verdicts
    } else {
      evidence = presented.count * 2 > frames.count ? .presents : .rule
    }
    let delays = presented.compactMap { frame in
      frame.presented.map { grid.vsync(atOrAfter: $0) - frame.vsync }
    }.sorted()
    let usual = delays.isEmpty ? rules.deadline : delays[delays.count / 10]
    deadline = min(max(usual, Pipeline.deadlines.lowerBound), Pipeline.deadlines.upperBound)
    buffers = max(rules.buffers, deadline)
    // Where frames reach the screen at vsyncs, the span from their ends has waiting for one in it.
    compositor = evidence == .verdicts ? Self.secondStage(presented, grid) : 0
    shown =
      evidence == .verdicts ? Self.byVerdict(all, grid) : byPresents(evidence == .presents, all)
  }

  /// How many vsyncs were wanted, and at how many of them nothing new was shown.
  var expected: Int { shown.count }
  var dropped: Int { shown.values.count { !$0 } }

  /// Whether frames were shown at vsyncs exactly, as only a screen's own account says it.
  private static func isOnGrid(_ presented: [Frame], _ grid: VsyncGrid) -> Bool {
    !presented.isEmpty
      && presented.allSatisfy { frame in
        guard let instant = frame.presented else { return false }
        return abs(grid.instant(of: grid.vsync(nearest: instant)) - instant) < 2000
      }
  }

  // MARK: Frames

  private static func drawn(_ all: [RecordedFrame], _ grid: VsyncGrid) -> [Frame] {
    var frames: [Int: Frame] = [:]
    for frame in all where frame.verdict != .notWanted {
      guard let work = frame.work, !work.isEmpty else { continue }
      let vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
      var known = frames[vsync] ?? Frame(vsync: vsync, work: [])
      known.work.append(work)
      known.presented = [known.presented, frame.presented?.nanoseconds].compactMap(\.self).max()
      frames[vsync] = known
    }
    return frames.values.sorted { $0.vsync < $1.vsync }
  }

  /// A stage that nobody recorded is known by what came behind it: a tenth of the frames took no longer from the end of
  /// their work to the screen, which is what it takes where nothing waits for a vsync.
  private static func secondStage(_ frames: [Frame], _ grid: VsyncGrid) -> Int64 {
    let spans = frames.compactMap { frame in frame.presented.map { $0 - frame.end } }
      .filter { $0 > 0 }.sorted()
    guard !spans.isEmpty else { return 0 }
    return min(spans[spans.count / 10], Int64(grid.period * 0.9))
  }

  // MARK: What was shown

  private static func byVerdict(_ all: [RecordedFrame], _ grid: VsyncGrid) -> [Int: Bool] {
    let drawn = all.filter { $0.work != nil && $0.verdict != .notWanted }
    // To a tenth of a millisecond: two reports of one picture.
    let pictures = Set(drawn.compactMap { $0.presented.map(Self.tenths) })
    var shown: [Int: Bool] = [:]
    for frame in all {
      let vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
      switch frame.verdict {
      case .dropped: shown[vsync] = false
      case .partial:
        // A picture without this vsync's part, but with a new one of a vsync before.
        let isNew = frame.presented.map { instant in
          (-1...1).contains { pictures.contains(Self.tenths(instant) + $0) }
        }
        shown[vsync] = (shown[vsync] ?? true) && isNew ?? false
      case .shown, .late, .stuffed:
        // Without work on the UI thread it is none of its frames.
        if frame.work != nil { shown[vsync] = shown[vsync] ?? true }
      case .notWanted, nil: break
      }
    }
    return shown
  }

  private static func tenths(_ instant: TimeSpan) -> Int64 { instant.nanoseconds / 100_000 }

  /// Between pictures: by when they reached the screen, or else by when their work ended.
  private func byPresents(_ isRecorded: Bool, _ all: [RecordedFrame]) -> [Int: Bool] {
    var shown: [Int: Bool] = [:]
    var newest = Int.min
    for frame in frames {
      let due = frame.vsync + deadline
      let ready = grid.vsync(atOrAfter: frame.end + compositor)
      let recorded = frame.presented.map { grid.vsync(nearest: $0) }
      let picture = max(isRecorded ? recorded ?? ready : ready, newest == .min ? due : newest + 1)
      for vsync in stride(from: newest == .min ? due : max(due, newest + 1), to: picture, by: 1) {
        shown[vsync - deadline] = false
      }
      shown[picture - deadline] = true
      newest = picture
    }
    for frame in all where frame.verdict == .dropped && frame.work != nil {
      shown[grid.vsync(nearest: frame.vsync.nanoseconds)] = false
    }
    return shown
  }
}

/// How platforms take frames to the screen, where a recording does not say it.
struct PlatformRules: Sendable {
  let deadline: Int
  let buffers: Int
  /// Whether a frame waits its turn among other events, and which vsync it belongs to then.
  let loop: MainLoop.Events

  init(_ format: RecordingFormat) {
    let platform: ScreenPlatform =
      switch format {
      case .chrome: .chrome
      case .flutter: .flutter
      case .perfetto, .systrace: .android
      }
    deadline = platform.pipeline.deadline
    buffers = platform.pipeline.buffers
    var loop = platform.mainLoop.events ?? MainLoop.Events()
    // What a renderer's main thread was posted before its frame runs before it.
    loop.isFIFO = format == .chrome
    self.loop = loop
  }
}
