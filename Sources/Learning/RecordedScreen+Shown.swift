internal import FrameBudget
internal import Recordings

// What was shown, and at which vsync.
extension RecordedScreen {
  /// By the platform's verdicts. A picture that has a part of the UI thread which no picture before had counts as shown
  /// at the vsync that it was made for, whichever vsync that part was drawn for.
  static func byVerdict(_ all: [RecordedFrame], _ grid: VsyncGrid) -> [Int: Bool] {
    let pictures = Pictures(all, grid)
    let drawn = Pictures(all.filter { $0.work != nil && $0.verdict != .notWanted }, grid)
    var shown: [Int: Bool] = [:]
    for frame in all {
      let vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
      let isNew = frame.presented.map { drawn.vsync(of: $0.nanoseconds) != nil } ?? false
      switch frame.verdict {
      case .dropped: shown[vsync] = false
      // A picture without this vsync's part, but perhaps with a new one of a vsync before.
      case .partial: shown[vsync] = (shown[vsync] ?? true) && isNew
      case .shown, .late, .stuffed:
        // What the compositor drew by itself is none of the UI thread's frames.
        guard frame.work != nil || isNew else { break }
        let picture = frame.presented.flatMap { pictures.vsync(of: $0.nanoseconds) } ?? vsync
        if picture <= vsync { shown[vsync] = shown[vsync] ?? true }
      case .notWanted, nil: break
      }
    }
    return shown
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

  init(_ frames: [RecordedFrame], _ grid: VsyncGrid) {
    for frame in frames {
      guard let presented = frame.presented else { continue }
      let vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
      let key = Self.key(presented.nanoseconds)
      vsyncs[key] = max(vsyncs[key] ?? .min, vsync)
    }
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
