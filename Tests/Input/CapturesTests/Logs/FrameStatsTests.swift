import Foundation
import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import Testing

/// Android's framestats by value: the answers are worked out by hand, in periods.
struct FrameStatsTests {
  /// The instants of a frame in periods of 8 ms, the later ones since it was asked for; nil where Android writes 0.
  struct Frame {
    let asked: Double
    let completed: Double
    var deadline: Double? = 2
    var presented: Double? = 3
  }

  static let period = 8_000_000.0

  /// A dump of Android 12 or later; AOSP's has the period in the last but one column, under the name of the start.
  static func dump(
    _ frames: [Frame], periods: (interval: String, start: String) = ("1000000300000", "8000000"),
    period: Double = period
  ) -> String {
    let rows = frames.map { frame in
      let asked = 1e12 + frame.asked * period
      func at(_ periods: Double?) -> String {
        periods.map { "\(Int64(asked + $0 * period))" } ?? "0"
      }
      return "0,\(at(0)),\(at(frame.deadline)),\(periods.interval),\(periods.start),"
        + "\(at(frame.completed)),\(at(frame.presented)),\n"
    }
    return
      "Applications Graphics Acceleration Info:\nWindow: a\n---PROFILEDATA---\nFlags,IntendedVsync,FrameDeadline,FrameInterval,"
      + "FrameStartTime,FrameCompleted,DisplayPresentTime,\n\(rows.joined())---PROFILEDATA---\n"
  }

  /// The seven frames of one vsync each, of which the fourth is as given.
  static func seven(_ frame: Frame) -> [Frame] {
    (0..<7).map { $0 == 3 ? frame : Frame(asked: Double(10 * $0), completed: 1.5) }
  }

  @Test(arguments: [("1000000300000", "8000000"), ("8000000", "1000000300000")])
  func `the period is the value that a display can have, whatever its column is called`(
    _ interval: String, _ start: String
  ) throws {
    let frames = Self.seven(Frame(asked: 30, completed: 1.5))
    let stream = try log(Self.dump(frames, periods: (interval, start))).streams[0]
    #expect(stream.refreshHz == 125)
    #expect(stream.warnings == [] && !stream.needsRate)
  }

  @Test(arguments: [
    // Two periods are allowed; half a period is left.
    (Frame(asked: 30, completed: 1.5), 0, -4.0),
    // Six and a half periods late by itself: seven vsyncs.
    (Frame(asked: 30, completed: 8.5, presented: nil), 7, 52.0),
    // The screen shows images a period after the deadline, and this one five periods after it.
    (Frame(asked: 30, completed: 4.5, presented: 7), 4, 20.0),
    // A fifth of a period late, but the screen had it in time.
    (Frame(asked: 30, completed: 2.25, presented: 3), 0, 2.0),
    // Without a deadline, one period is allowed.
    (Frame(asked: 30, completed: 1.5, deadline: nil, presented: nil), 1, -4.0),
  ])
  func `a frame is late by its own deadline and the time at which it was shown`(
    _ frame: Frame, _ dropped: Int, _ overrun: Double
  ) throws {
    let stream = try log(Self.dump(Self.seven(frame))).streams[0]
    #expect(stream.count("dropped_frames") == dropped)
    #expect(stream.count("expected_frames") == 7 + dropped)
    let overruns = stream.values["frame_overrun_ms_p50"]
    #expect(overruns == .real(-4), "the other six: 1.5 of 2 periods of 8 ms")
    let worst = try log(Self.dump([frame])).streams[0].values["frame_overrun_ms_p99"]
    #expect(worst == (frame.deadline == nil ? nil : .real(overrun)))
  }

  @Test func `a rate that does not fit the vsyncs is reported`() throws {
    let frames = (0..<40).map { Frame(asked: Double($0), completed: 0.5, deadline: nil) }
    func dump(_ period: String) -> String {
      Self.dump(frames, periods: ("0", period), period: 8_333_333)
    }
    let wrong = try log(dump("0"), hz: 60).streams[0].warnings
    #expect(wrong == ["a: its vsyncs fit 120 Hz far better than 60 Hz: is --hz right?"])
    #expect(try log(dump("0"), hz: 120).streams[0].warnings == [])
    let known = try log(dump("8333333"), hz: 60).streams[0]
    #expect(known.warnings.count == 1)
    #expect(known.warnings.contains { $0.hasSuffix("; --hz is ignored") }, "\(known.warnings)")
    // The worst second has 120 vsyncs, not 60.
    #expect(known.values == (try log(dump("8333333")).streams[0].values))
  }

  /// Nothing of a recording or a run of ours depends on the option, so each reader says so.
  @Test(arguments: [
    "recording-perfetto/phone.pftrace", "logs/frames.csv", "logs/chrome-reporters.json",
  ])
  func `a log with its own rate says that --hz is ignored`(_ seed: String) throws {
    let path = FoundInputTests.seeds.appending(path: seed).path
    let plain = try ImportedLog(ByteSource(path: path), refresh: nil).streams[0]
    #expect(plain.refreshHz != nil && !plain.warnings.contains { $0.contains("--hz") })
    let asked = try ImportedLog(ByteSource(path: path), refresh: RefreshRate(37)).streams[0]
    #expect(asked.values == plain.values)
    #expect(
      asked.warnings.contains { $0.hasSuffix("; --hz is ignored") }, "\(asked.warnings)")
  }

  /// The public files behind these cases, and how their answers were worked out, are in the folder's README.
  @Suite(.enabled(if: SharedData.folder != nil, SharedData.missing)) struct Cases {
    /// Asked for every 12th vsync of 120 Hz, completed after 10 ms, due after 16.667 ms.
    @Test func `an interval under the name of the start gives 120 Hz and no drop`() throws {
      let stream = try SharedData.read("cases/gfxinfo-interval-under-start-time.txt").streams[0]
      #expect(abs((stream.refreshHz ?? 0) - 120) < 0.01)
      #expect(stream.count("expected_frames") == 60 && stream.count("dropped_frames") == 0)
      for name in ["p50", "p99"] {
        let overrun = stream.values["frame_overrun_ms_\(name)"]?.number ?? 0
        #expect(abs(overrun + 6.667) < 0.001)
      }
    }

    /// PowerShell's `>` writes UTF-16. One frame was shown ten periods after it was asked for, the others three.
    @Test func `a dump in UTF-16 gives 120 frames and seven drops`() throws {
      let stream = try SharedData.read("cases/gfxinfo-powershell-utf16.txt").streams[0]
      #expect(abs((stream.refreshHz ?? 0) - 120.31) < 0.01)
      #expect(stream.rows == 120 && stream.displayChanges == 120)
      #expect(stream.count("dropped_frames") == 7)
      #expect(stream.count("longest_gap_vsyncs") == 7)
    }
  }
}
