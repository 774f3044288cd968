internal import FrameBudget
internal import FrameBudgetParsing

// Determines what was shown at which vsync.
extension RecordedScreen {
  /// From the platform's verdicts: for each vsync of a picture at which something was wanted, whether the picture had a new
  /// part of the UI thread, for whichever vsync that part was drawn.
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
      // This picture lacks the part of its own vsync, but may have a new part of an earlier vsync.
      case .partial where isNew || isDue(vsync):
        shown[vsync] = (shown[vsync] ?? true) && isNew
      default: break
      }
    }
    for frame in all where frame.verdict != .notWanted {
      var vsync: Int?
      if let presented = frame.presented?.nanoseconds {
        // Pictures that the compositor drew alone are not frames of the UI thread.
        vsync = drawn.vsync(of: presented).flatMap { _ in pictures.vsync(of: presented) }
      } else if frame.verdict == .shown, frame.work != nil {
        vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
      }
      if let vsync { shown[vsync] = shown[vsync] ?? true }
    }
    return shown
  }

  /// Returns a function that says whether a part of the UI thread was expected in the picture of a vsync, where parts
  /// appear `lag` vsyncs after the one that they were drawn for. Without such a part, the compositor reports a drop
  /// although there was nothing to show yet. With a lag of 0, a part is always expected.
  static func due(
    _ frames: [Frame], _ pictures: Pictures, _ grid: VsyncGrid, lag: Int
  ) -> (Int) -> Bool {
    guard lag > 0 else { return { _ in true } }
    let firsts = frames.map { $0.requested + lag }
    var lasts: [Int] = []
    for (frame, first) in zip(frames, firsts) {
      // One that was never shown was not there before the end of its work.
      let picture =
        frame.presented.flatMap { pictures.vsync(of: $0) } ?? grid.vsync(atOrAfter: frame.end)
      lasts.append(max(first, picture, lasts.last ?? .min))
    }
    return { vsync in
      let begun = firsts.partitioningIndex { $0 > vsync }
      return begun > 0 && lasts[begun - 1] >= vsync
    }
  }

  /// The number of vsyncs from the one that a part of the UI thread was drawn for to the one of its picture, if nothing made it
  /// late. A compositor may use at each vsync what was drawn for the previous one.
  ///
  /// Chromium's does so behind a part that came too late, until a vsync has no new part (`main_thread_missed_last_deadline_` in
  /// `cc/scheduler/scheduler_state_machine.cc`). `FramePipeline` has this rule: each picture has a vsync of its own. So a part
  /// shows whether there is a lag only if it was in time, and if none that is newer than its vsync was on the screen before it. A
  /// lag of 0 needs such parts: where nearly all follow a late one, the recording does not say that they catch up.
  static func lag(_ frames: [Frame], _ pictures: Pictures, _ grid: VsyncGrid) -> Int {
    var (own, behind, anyOwn, anyNext, parts) = (0, 0, 0, 0, 0)
    var newest = Int.min
    for frame in frames {
      guard let picture = frame.presented.flatMap({ pictures.vsync(of: $0) }) else { continue }
      let lag = picture - frame.requested
      parts += 1
      // A part that is more than one vsync behind is late.
      if lag <= 0 { anyOwn += 1 } else if lag == 1 { anyNext += 1 }
      if newest < frame.requested, frame.end <= grid.instant(of: frame.requested + 1) {
        if lag <= 0 { own += 1 } else { behind += 1 }
      }
      newest = max(newest, picture)
    }
    if own > behind, own * minShare >= parts { return 0 }
    return anyNext > anyOwn ? 1 : 0
  }

  /// The part of all, as 1 in so many, that has to be in time for a lag of 0.
  private static let minShare = 20

  /// From the times at which frames reached the screen, or else at which they were ready. Vsyncs between two pictures are
  /// dropped, and so are frames that never reached the screen: they have no picture that later ones would have to wait for.
  ///
  /// `last` is the last vsync whose picture was recorded; nil if unknown. If it is known and no presents are, a task that does
  /// not end may have kept frames from being drawn, which the recorder then calls dropped.
  func byPresents(
    _ isRecorded: Bool, _ all: [RecordedFrame], through last: Int?
  ) -> [Int: Bool] {
    let isOnGrid = Self.isOnGrid(frames.filter { $0.presented != nil }, grid)
    let clock = isRecorded ? PictureClock(isOnGrid ? [] : all) : nil
    var shown: [Int: Bool] = [:]
    var newest = Int.min
    var before: Int64?
    for (frame, ready) in zip(frames, stage.ready) where !frame.isLost {
      // A frame replaces the one before it in the same picture or, without a second buffer, before that is shown.
      let isReplacing = frame.presented.map { $0 == before } ?? false
      let step = !isReplacing && (isRecorded || buffers > 1) ? 1 : 0
      before = frame.presented
      let wanted = max(frame.requested + deadline, newest == .min ? .min : newest + 1)
      var picture =
        clock?.vsync(of: frame, grid, deadline: deadline)
        ?? max(frame.vsync + deadline, grid.vsync(atOrAfter: ready))
      picture = max(picture, newest == .min ? frame.vsync + deadline : newest + step)
      let end = last.map { min(picture, $0 + 1) } ?? picture
      for vsync in stride(from: wanted, to: end, by: 1) { shown[vsync - deadline] = false }
      if picture <= last ?? picture { shown[picture - deadline] = true }
      newest = picture
    }
    if let last, !isRecorded, !frames.isEmpty {
      for frame in all where frame.verdict == .dropped && frame.work == nil {
        let vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
        if newest < vsync, vsync <= last { shown[vsync - deadline] = false }
      }
    }
    for frame in frames where frame.isLost {
      shown[frame.requested] = shown[frame.requested] ?? false
    }
    return shown
  }

  /// The vsyncs of the frames that were wanted while the thread was in `hang`, and would have been on the screen by its end, at
  /// most those of an hour. The thread wanted them if the recording says so, or if it had drawn for the vsync before.
  func missed(in hang: Range<Int64>?, isFrameWanted: Bool) -> Range<Int> {
    guard let hang, let last = frames.last?.vsync else { return 0..<0 }
    let begin = grid.vsync(atOrBefore: hang.lowerBound)
    guard isFrameWanted || begin <= last + 1 else { return 0..<0 }
    let first = max(last + 1, begin)
    let end = min(hang.upperBound, hang.lowerBound + InputTime.frames.upperBound)
    return first..<max(first, grid.vsync(atOrBefore: end) - deadline + 1)
  }
}

/// The pictures that reached the screen, by time. Several reports may refer to one picture.
struct Pictures {
  /// By time, in tenths of a millisecond: the newest vsync that a report says was shown then.
  private var vsyncs: [Int64: Int] = [:]

  /// All pictures.
  init(_ frames: [RecordedFrame], _ grid: VsyncGrid) {
    self.init(ofParts: frames, grid)
    for frame in frames { add(frame.presentedWithout, of: frame, grid) }
  }

  /// The pictures with the UI thread's parts of `frames`.
  init(ofParts frames: [RecordedFrame], _ grid: VsyncGrid) {
    for frame in frames { add(frame.presented, of: frame, grid) }
  }

  private mutating func add(_ presented: TimeSpan?, of frame: RecordedFrame, _ grid: VsyncGrid) {
    guard let presented else { return }
    let vsync = grid.vsync(nearest: frame.vsync.nanoseconds)
    let key = Self.key(presented.nanoseconds)
    vsyncs[key] = max(vsyncs[key] ?? .min, vsync)
  }

  /// The newest vsync of the picture at that instant; nil if there was no picture.
  func vsync(of instant: Int64) -> Int? {
    let key = Self.key(instant)
    return (key - 1...key + 1).compactMap { vsyncs[$0] }.max()
  }

  private static func key(_ instant: Int64) -> Int64 { instant / 100_000 }
}

/// Maps presentation times to vsyncs of the app. The display's vsyncs may differ in phase from those at which apps
/// start to draw, and the phase may change. A frame in time was shown `deadline` vsyncs after its own, whatever the clock
/// says, so it gives the current phase.
private struct PictureClock {
  /// For each frame in time, in order: its vsync, and the delay until it reached the screen, in nanoseconds.
  private let inTime: [(at: Int64, delay: Int64)]

  init(_ frames: [RecordedFrame]) {
    inTime = frames.compactMap { frame in
      guard frame.verdict == .shown, frame.due != nil, let presented = frame.presented else {
        return nil
      }
      return (frame.vsync.nanoseconds, (presented - frame.vsync).nanoseconds)
    }
  }

  /// Nil if the time of presentation is unknown.
  func vsync(of frame: RecordedScreen.Frame, _ grid: VsyncGrid, deadline: Int) -> Int? {
    guard let presented = frame.presented else { return nil }
    let next = inTime.partitioningIndex { $0.at > frame.requestedAt }
    guard let first = inTime.first else { return grid.vsync(nearest: presented) }
    let near = next > 0 ? inTime[next - 1] : first
    return grid.vsync(nearest: presented - near.delay) + deadline
  }
}
