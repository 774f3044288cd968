internal import FrameBudget
internal import Recordings

// What was shown, and at which vsync.
extension RecordedScreen {
  /// By the platform's verdicts: by vsync at which a picture was made, whether it had a part of the UI thread which no picture
  /// before had, whichever vsync that part was drawn for; only where something was wanted.
  static func byVerdict(
    _ all: [RecordedFrame], _ grid: VsyncGrid, _ pictures: Pictures, isDue: (Int) -> Bool
  ) -> [Int: Bool] {
    let drawn = Pictures(ofParts: all.filter { $0.work != nil && $0.verdict != .notWanted }, grid)
    var shown: [Int: Bool] = [:]
    for frame in all {
      let vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
      let isNew = frame.presented.map { drawn.vsync(of: $0.nanoseconds) != nil } ?? false
      switch frame.verdict {
      case .dropped where isDue(vsync): shown[vsync] = false
      // A picture without this vsync's part, but perhaps with a new one of a vsync before.
      case .partial where isNew || isDue(vsync):
        shown[vsync] = (shown[vsync] ?? true) && isNew
      default: break
      }
    }
    for frame in all where frame.verdict != .notWanted {
      var vsync: Int?
      if let presented = frame.presented?.nanoseconds {
        // What the compositor drew by itself is none of the UI thread's frames.
        vsync = drawn.vsync(of: presented).flatMap { _ in pictures.vsync(of: presented) }
      } else if frame.verdict == .shown, frame.work != nil {
        vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
      }
      if let vsync { shown[vsync] = shown[vsync] ?? true }
    }
    return shown
  }

  /// Whether something of the UI thread was to be in the picture of a vsync, where that is `lag` behind the vsync that it was
  /// drawn for: what a compositor calls dropped without that had nothing to show yet. Without a lag it always knows.
  static func due(_ frames: [Frame], _ pictures: Pictures, lag: Int) -> (Int) -> Bool {
    guard lag > 0 else { return { _ in true } }
    let firsts = frames.map { $0.requested + lag }
    var lasts: [Int] = []
    for (frame, first) in zip(frames, firsts) {
      let picture = frame.presented.flatMap { pictures.vsync(of: $0) } ?? first
      lasts.append(max(first, picture, lasts.last ?? .min))
    }
    return { vsync in
      let begun = firsts.partitioningIndex { $0 > vsync }
      return begun > 0 && lasts[begun - 1] >= vsync
    }
  }

  /// How many vsyncs behind the one that it was drawn for a part of the UI thread is in a picture, where it is in time: a
  /// compositor may take at each vsync what was drawn for the one before.
  static func lag(_ frames: [Frame], _ pictures: Pictures) -> Int {
    let lags = frames.compactMap { frame in
      frame.presented.flatMap { pictures.vsync(of: $0) }.map { $0 - frame.requested }
    }
    // What is more than one behind is late.
    return lags.count { $0 == 1 } > lags.count { $0 <= 0 } ? 1 : 0
  }

  /// Between pictures: by when they reached the screen, or else by when they were ready.
  func byPresents(_ isRecorded: Bool, _ all: [RecordedFrame]) -> [Int: Bool] {
    let isOnGrid = Self.isOnGrid(frames.filter { $0.presented != nil }, grid)
    let clock = isRecorded ? PictureClock(isOnGrid ? [] : all) : nil
    var shown: [Int: Bool] = [:]
    var newest = Int.min
    for (frame, ready) in zip(frames, stage.ready) {
      let wanted = max(frame.requested + deadline, newest == .min ? .min : newest + 1)
      var picture =
        clock?.vsync(of: frame, grid, deadline: deadline)
        ?? max(frame.vsync + deadline, grid.vsync(atOrAfter: ready))
      picture = max(picture, newest == .min ? frame.vsync + deadline : newest + 1)
      for vsync in stride(from: wanted, to: picture, by: 1) { shown[vsync - deadline] = false }
      shown[picture - deadline] = true
      newest = picture
    }
    for frame in all where frame.verdict == .dropped && frame.work != nil {
      shown[grid.vsync(nearest: frame.vsync.nanoseconds)] = false
    }
    return shown
  }
}

/// Pictures that reached the screen, by when that was: several reports may be of one.
struct Pictures {
  /// By tenths of a millisecond: the newest vsync of which a report says that it was shown then.
  private var vsyncs: [Int64: Int] = [:]

  /// All of them.
  init(_ frames: [RecordedFrame], _ grid: VsyncGrid) {
    self.init(ofParts: frames, grid)
    for frame in frames { add(frame.presentedWithout, of: frame, grid) }
  }

  /// Those that have the UI thread's parts of `frames`.
  init(ofParts frames: [RecordedFrame], _ grid: VsyncGrid) {
    for frame in frames { add(frame.presented, of: frame, grid) }
  }

  private mutating func add(_ presented: TimeSpan?, of frame: RecordedFrame, _ grid: VsyncGrid) {
    guard let presented else { return }
    let vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
    let key = Self.key(presented.nanoseconds)
    vsyncs[key] = max(vsyncs[key] ?? .min, vsync)
  }

  /// The newest vsync that the picture of that instant was for; nil where there was none.
  func vsync(of instant: Int64) -> Int? {
    let key = Self.key(instant)
    return (key - 1...key + 1).compactMap { vsyncs[$0] }.max()
  }

  private static func key(_ instant: Int64) -> Int64 { instant / 100_000 }
}

/// At which vsync of the app a picture was shown: the display's own vsyncs may be at another phase than those at which apps
/// are told to draw, and that phase may change. What came in time was shown its deadline behind its vsync, whatever that
/// is on the clock, so it says how the two lie.
private struct PictureClock {
  /// Of frames that were in time: their vsyncs, and how long they took to the screen; in order.
  private let inTime: [(at: Int64, delay: Int64)]

  init(_ frames: [RecordedFrame]) {
    inTime = frames.compactMap { frame in
      guard frame.verdict == .shown, frame.due != nil, let presented = frame.presented else {
        return nil
      }
      return (frame.vsync.nanoseconds, (presented - frame.vsync).nanoseconds)
    }
  }

  /// Nil where nothing says when it was shown.
  func vsync(of frame: RecordedScreen.Frame, _ grid: VsyncGrid, deadline: Int) -> Int? {
    guard let presented = frame.presented else { return nil }
    guard let near = inTime.last(where: { $0.at <= frame.asked }) ?? inTime.first else {
      return grid.vsync(nearest: presented)
    }
    return grid.vsync(nearest: presented - near.delay) + deadline
  }
}
