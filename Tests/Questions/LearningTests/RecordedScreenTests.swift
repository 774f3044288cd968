import FrameBudget
@testable import FrameBudgetCaptures
import Testing

@testable import FrameBudgetLearning

struct RecordedScreenTests {
  private static let period = 50.0 / 3

  /// A phone's frame, which has two periods; everything in milliseconds behind `vsync`, a number.
  private func frame(
    _ vsync: Int, work: (Double, Double), ready: Double, shown: Double? = nil,
    _ verdict: RecordedFrame.Verdict? = .shown
  ) -> RecordedFrame {
    let at = Double(vsync) * Self.period
    func instant(_ behind: Double) -> TimeSpan { .ms(at + behind) }
    return RecordedFrame(
      vsync: instant(0), due: instant(33.2),
      work: instant(work.0).nanoseconds..<instant(work.1).nanoseconds, ready: instant(ready),
      presented: shown.map(instant), verdict: verdict)
  }

  private func screen(
    _ frames: [RecordedFrame], format: RecordingFormat = .perfetto
  ) -> RecordedScreen {
    let recording = Recording.slices([("a", 0, 1, 0)], frames: frames, format: format)
    return RecordedScreen(recording, VsyncGrid(recording, from: 0))
  }

  @Test func `the platform's deadline counts, not the time until pictures are shown`() {
    let screen = screen((0..<6).map { frame($0, work: (1, 3), ready: 9, shown: 60) })
    #expect(screen.deadline == 2)
    #expect(screen.shown == Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, true) }))
    #expect(screen.stage.costs == Array(repeating: 6_000_000, count: 6))
  }

  @Test func `lateness is measured against pictures that are on time, whatever the phase`() throws {
    // In time is 60 ms behind the vsync at first, 55 ms later on; vsyncs 3 and 4, and 8, pass without a picture.
    let screen = screen([
      frame(0, work: (1, 3), ready: 9, shown: 60), frame(1, work: (1, 3), ready: 9, shown: 60),
      frame(2, work: (1, 3), ready: 9, shown: 60),
      frame(3, work: (1, 60), ready: 65, shown: 60 + 2 * Self.period, .late),
      frame(6, work: (1, 3), ready: 9, shown: 55), frame(7, work: (1, 3), ready: 9, shown: 55),
      frame(8, work: (1, 40), ready: 45, shown: 55 + Self.period, .late),
    ])
    #expect(
      screen.shown.filter { !$0.value }.keys.sorted() == [3, 4, 8], "\(screen.shown)")
    #expect(screen.dropped == 3 && screen.expected == 10)
  }

  @Test func `a frame that never reached the screen leaves the vsyncs after its own to others`() {
    let inTime = (work: (1.0, 3.0), ready: 9.0)
    // The frame of vsync 2 is ready behind vsync 4, and dropped.
    let dropped = screen([
      frame(0, work: inTime.work, ready: 9, shown: 60),
      frame(1, work: inTime.work, ready: 9, shown: 60),
      frame(2, work: (1, 28), ready: 40, .dropped),
      frame(3, work: (12, 14), ready: 20, shown: 60),
      frame(4, work: inTime.work, ready: 9, shown: 60),
    ])
    #expect(dropped.shown == [0: true, 1: true, 2: false, 3: true, 4: true], "\(dropped.shown)")
    // In its picture's place came that of the frame before, which was late.
    let late = screen([
      frame(0, work: inTime.work, ready: 9, shown: 60),
      frame(1, work: inTime.work, ready: 30, shown: 60 + Self.period, .late),
      frame(2, work: inTime.work, ready: 40, .dropped),
      frame(3, work: inTime.work, ready: 9, shown: 60),
    ])
    #expect(late.shown == [0: true, 1: false, 2: true, 3: true], "\(late.shown)")
  }

  /// Slow: a search through all frames for each of them takes minutes, any other search takes seconds.
  @Test(.timeLimit(.minutes(2))) func `a day of frames is not searched through for each of them`() {
    let count = 200_000
    let screen = screen(
      (0..<count).map { frame($0, work: (1, 3), ready: 9, shown: 60) })
    #expect(screen.expected == count && screen.dropped == 0)
  }

  @Test func `simultaneous drawing of several frames of a vsync counts once`() {
    let screen = screen([
      frame(0, work: (1, 5), ready: 9), frame(0, work: (3, 7), ready: 9),
      frame(0, work: (8, 9), ready: 9),
    ])
    #expect(screen.frames.map(\.work) == [[1_000_000..<7_000_000, 8_000_000..<9_000_000]])
  }

  /// A page's frame, whose outcome the browser reports; its work in milliseconds since the recording's start.
  private func reported(_ vsync: Int, _ work: (Double, Double)? = nil) -> RecordedFrame {
    RecordedFrame(
      vsync: .ms(Double(vsync) * Self.period),
      work: work.map { TimeSpan.ms($0.0).nanoseconds..<TimeSpan.ms($0.1).nanoseconds },
      presented: work.map { .ms($0.1 + 6) }, verdict: work == nil ? .dropped : .shown)
  }

  @Test func `a missing frame's vsync is wanted if a later frame followed at once`() {
    let late: (Double, Double) = (61, 64)
    // The frame of vsync 1 ends behind vsync 3, 50 ms; that of vsync 3 follows at once.
    let caughtUp = screen(
      [reported(0, (1, 3)), reported(1, late), reported(2), reported(3, (65, 68)), reported(4)],
      format: .chrome)
    #expect(caughtUp.wanted == [0, 1, 2, 3])
    #expect(caughtUp.frames.map(\.requested) == [0, 1, 3])
    #expect(caughtUp.lateBegins == 1)
    // Here the thread was free at 64 ms, and no frame followed until vsync 4.
    let left = screen(
      [reported(0, (1, 3)), reported(1, late), reported(2), reported(3), reported(4, (67, 69))],
      format: .chrome)
    #expect(left.wanted == [0, 1, 4])
  }

  @Test(arguments: [(4, [0, 1, 2, 3, 4]), (5, [0, 1, 5])])
  func `a delayed frame's vsync is wanted too if the next frame followed at once`(
    _ next: Int, _ wanted: [Int]
  ) {
    func drawn(_ vsync: Int, _ work: (Double, Double)) -> RecordedFrame {
      RecordedFrame(
        vsync: .ms(Double(vsync) * Self.period),
        due: .ms(Double(max(vsync, Int(work.0 / Self.period)) + 1) * Self.period),
        work: TimeSpan.ms(work.0).nanoseconds..<TimeSpan.ms(work.1).nanoseconds)
    }
    let begin = Double(next) * Self.period
    // The frame of vsync 1 waited until behind vsync 3, and is taken for that.
    let screen = screen(
      [drawn(0, (1, 3)), drawn(1, (61, 64)), drawn(next, (begin + 1, begin + 3))],
      format: .framebudget)
    #expect(screen.frames.map(\.vsync) == [0, 3, next])
    #expect(screen.wanted == wanted)
  }

  @Test func `a frame that waited for the thread belongs to the newest vsync`() {
    let screen = screen([
      frame(0, work: (1, 40), ready: 44, shown: 60, .late),
      frame(1, work: (24, 27), ready: 30, shown: 60, .late),
      frame(3, work: (1, 3), ready: 9, shown: 60),
    ])
    #expect(screen.frames.map(\.vsync) == [0, 2, 3])
    #expect(screen.frames.map(\.requested) == [0, 1, 3])
  }

  @Test func `a stage processes one frame at a time, and unknown times take the usual time`() {
    let screen = screen([
      frame(0, work: (1, 3), ready: 30), frame(1, work: (1, 3), ready: 20),
      RecordedFrame(vsync: .ms(2 * Self.period), work: 35_000_000..<36_000_000),
      frame(3, work: (1, 3), ready: 9),
    ])
    // The second begins at the end of the first, at 30 ms, and ends at 36.7 ms.
    #expect(screen.stage.costs.map { $0 / 100_000 } == [270, 66, 66, 60])
    #expect(screen.stage.ready.map { $0 / 100_000 } == [300, 366, 433, 590])
  }

  @Test func `a stage that was not recorded took longer only if a picture came later`() {
    func page(_ vsync: Int, ended: Double, shown: Double) -> RecordedFrame {
      let at = Double(vsync) * Self.period
      return RecordedFrame(
        vsync: .ms(at), work: TimeSpan.ms(at + 1).nanoseconds..<TimeSpan.ms(at + ended).nanoseconds,
        presented: .ms(at + shown), verdict: .shown)
    }
    let screen = screen(
      (0..<20).map { page($0, ended: 4, shown: $0 == 12 ? 15 : 6) }
        + [
          page(24, ended: 4, shown: 28),
          // Made for the next vsync, and with this picture in it.
          RecordedFrame(
            vsync: .ms(25 * Self.period), presented: .ms(24 * Self.period + 28), verdict: .shown),
        ], format: .chrome)
    #expect(screen.evidence == .verdicts && screen.deadline == 1)
    #expect(screen.stage.costs[12] == 2_000_000, "no vsync later")
    #expect(screen.stage.costs[20] / 1_000_000 == 24)
    // Only the compositor's picture has a new part.
    #expect(screen.shown[25] == true && screen.shown[24] == nil)
  }

  @Test func `a stage is no longer if the display takes each picture a period later`() {
    // At each vsync the compositor shows what the thread drew for the one before; a frame that took 22 ms is in its picture, too.
    func screen(showing latency: Double) -> RecordedScreen {
      self.screen(
        (0..<40).map { vsync in
          let at = Double(vsync) * Self.period
          let ended = vsync == 20 ? 22.0 : 2.2
          var frame = RecordedFrame(
            vsync: .ms(at),
            work: TimeSpan.ms(at + 1).nanoseconds..<TimeSpan.ms(at + ended).nanoseconds,
            presented: .ms(at + Self.period + latency), verdict: .shown)
          frame.presentedWithout = .ms(at + latency)
          return frame
        }, format: .chrome)
    }
    for latency in [1.9, 1.9 + Self.period] {
      let screen = screen(showing: latency)
      #expect(screen.deadline == 2)
      #expect(screen.stage.median / 100_000 == 19)
      #expect(screen.missedDeadlines == 0)
    }
  }

  @Test func `a late picture makes those behind it late, and their stage no longer`() {
    // From vsync 20 on, each picture has what was drawn two vsyncs before.
    let screen = screen(
      (0..<40).map { vsync in
        let at = Double(vsync) * Self.period
        var frame = RecordedFrame(
          vsync: .ms(at), work: TimeSpan.ms(at + 1).nanoseconds..<TimeSpan.ms(at + 2).nanoseconds,
          presented: .ms(at + (vsync < 20 ? 1 : 2) * Self.period + 3), verdict: .shown)
        frame.presentedWithout = .ms(at + 3)
        return frame
      }, format: .chrome)
    #expect(screen.deadline == 2)
    #expect(screen.stage.costs.count { $0 > 4_000_000 } == 1)
    #expect(screen.stage.costs[20] > 30_000_000)
  }

  /// Chromium, 60 Hz, ten times: a part of 23 ms misses its vsync, so each of the two parts behind it is shown a vsync later than it
  /// could be; then a vsync has no part, and from then on parts are in time.
  private static let adapting = (0..<10).flatMap { round -> [RecordedFrame] in
    func instant(_ vsync: Int, _ behind: Double) -> TimeSpan {
      .ms(Double(10 * round + vsync) * period + behind)
    }
    func part(
      _ vsync: Int, _ begin: Double, _ end: Double, shown: TimeSpan, without: TimeSpan? = nil,
      _ verdict: RecordedFrame.Verdict = .shown
    ) -> RecordedFrame {
      RecordedFrame(
        vsync: instant(vsync, 0),
        work: instant(vsync, begin).nanoseconds..<instant(vsync, end).nanoseconds,
        presented: shown, presentedWithout: without, verdict: verdict)
    }
    let late = instant(1, 10.4)
    return [
      part(0, 1, 24, shown: late, .dropped),
      part(1, 7.5, 9, shown: instant(2, 3), without: late),
      part(2, 1, 3, shown: instant(3, 3), without: instant(2, 3)),
      RecordedFrame(
        vsync: instant(3, 0), presentedWithout: instant(3, 3), verdict: .shown),
      part(6, 1, 3, shown: instant(6, 6)), part(7, 1, 3, shown: instant(7, 6)),
    ]
  }

  @Test func `parts are behind only until a vsync has none, as in Chromium`() throws {
    let screen = screen(Self.adapting, format: .chrome)
    #expect(screen.deadline == 1 && screen.buffers == 2)
    // Most parts were shown a vsync later; only those that were late are.
    #expect(screen.dropped == 10 && screen.expected == 60)
    #expect(screen.stage.costs.allSatisfy { abs($0 - 3_000_000) < 200_000 })
    let slices = Self.adapting.compactMap(\.work).map { work in
      (
        name: "paint", begin: Double(work.lowerBound) / 1e6, end: Double(work.upperBound) / 1e6,
        depth: Int32(0)
      )
    }
    let learned = try #require(
      LearnedScenario(
        Recording.slices(slices, frames: Self.adapting), name: "page", source: "page.json"))
    let replayed = ReplayComparison(learned, try Replay(learned).run("as-recorded"))
    #expect(replayed.counts.agreeing == replayed.counts.all && replayed.counts.all == 60)
  }

  @Test(arguments: [0, 1]) func `frames behind a task that does not end are dropped`(lag: Int) {
    var frames = (0..<40).map { vsync in
      let at = Double(vsync) * Self.period
      var frame = RecordedFrame(
        vsync: .ms(at), verdict: vsync < 30 ? .shown : lag == 0 ? .dropped : .partial)
      let picture = TimeSpan.ms(at + Double(lag) * Self.period + 3)
      if vsync < 30 {
        frame.work = TimeSpan.ms(at + 1).nanoseconds..<TimeSpan.ms(at + 2).nanoseconds
        frame.presented = picture
      }
      if lag > 0 { frame.presentedWithout = .ms(at + 3) }
      return frame
    }
    // The compositor draws on: the first of its pictures has what was drawn before.
    if lag > 0 { for vsync in 30..<40 { frames[vsync].presented = frames[vsync].presentedWithout } }
    let end = 40 * Self.period
    for (isHung, dropped) in [(true, 10 - lag), (false, 0)] {
      let recording = Recording.slices(
        [("a", 0, 1, 0), ("hang", 30 * Self.period + 1, isHung ? end : 31 * Self.period, 0)],
        frames: frames, format: .chrome)
      let screen = RecordedScreen(recording, VsyncGrid(recording, from: 0))
      #expect(screen.deadline == 1 + lag)
      guard isHung || lag > 0 else { continue }
      #expect(screen.dropped == dropped)
      #expect(screen.wanted == Array(0..<30 + dropped))
      #expect(screen.lateWindows.last?.upperBound == (isHung ? TimeSpan.ms(end).nanoseconds : nil))
    }
  }

  /// The frame of vsync 10 is there at vsync 14. Then the thread is in a task until vsync 40, the end.
  @Test(arguments: [true, false])
  func `behind a late frame, a task that does not end drops frames if one was wanted`(
    _ isWanted: Bool
  ) {
    let frames = (0...10).map { vsync in
      let at = TimeSpan.ms(Double(vsync) * Self.period)
      let end = at + .ms(vsync == 10 ? 55 : 2)
      return RecordedFrame(vsync: at, work: at.nanoseconds..<end.nanoseconds)
    }
    let (begin, end) = (14 * Self.period, 40 * Self.period)
    var recording = Recording.slices(
      [("a", 0, 1, 0), ("hang", begin, end, 0)], frames: frames, format: .wayland)
    recording.isFrameWanted = isWanted
    let screen = RecordedScreen(recording, VsyncGrid(recording, from: 0))
    #expect(screen.dropped == (isWanted ? 3 + 26 : 3))
    let hang = screen.grid.instant(of: 14)..<TimeSpan.ms(end).nanoseconds
    #expect(screen.openHang == (isWanted ? hang : nil))
  }

  @Test func `frames that only the compositor drew are not the thread's frames`() {
    let screen = screen(
      [
        RecordedFrame(vsync: .zero, work: 1000..<2000, presented: .ms(6), verdict: .shown),
        RecordedFrame(vsync: .ms(Self.period), presented: .ms(23), verdict: .shown),
        RecordedFrame(vsync: .ms(2 * Self.period), presented: .ms(40), verdict: .partial),
      ], format: .chrome)
    #expect(screen.shown == [0: true, 2: false])
  }

  @Test func `a frame dropped before anything could be shown does not count`() {
    func page(_ vsync: Int, _ verdict: RecordedFrame.Verdict, behind: RecordedFrame? = nil)
      -> RecordedFrame
    {
      let at = Double(vsync) * Self.period
      return RecordedFrame(
        vsync: .ms(at), work: TimeSpan.ms(at + 1).nanoseconds..<TimeSpan.ms(at + 4).nanoseconds,
        presented: .ms(at + Self.period + 2), presentedWithout: behind?.presented,
        verdict: verdict)
    }
    // The first one of an animation: its picture comes a vsync later, as all others do.
    var frames = [page(1, .dropped)]
    for vsync in 2..<12 { frames.append(page(vsync, .shown, behind: frames.last)) }
    let screen = screen(frames, format: .chrome)
    #expect(screen.deadline == 2)
    #expect(screen.shown == Dictionary(uniqueKeysWithValues: (1...10).map { ($0, true) }))
  }
}
