public import FrameBudget
public import Parsing

/// The frames of one run, read back from a per-frame file.
public struct RecordedRun: Sendable {
  /// What tells the run from others, as it stands in the file.
  let keys: [String]
  public let refresh: RefreshRate
  public let duration: TimeSpan
  /// Whether its scenario replays what it was learned from, as it stands in the file; empty where it was learned from
  /// nothing, and in files of earlier versions.
  var learned = ""
  /// Which of several results it lies beside; empty where there is one.
  public var origin = ""
  public internal(set) var frames: [FrameRecord] = []

  /// How many vsyncs behind its own a frame was to be shown.
  public var deadline: Int { frames.first.map { $0.dueVsync - $0.beginVsync } ?? 1 }
  /// Whether there were vsyncs that wanted no frame.
  public var isOnDemand: Bool { frames.first?.isOnDemand ?? false }

  /// What lies more than a minute apart on the screen.
  public var gaps: LongGaps {
    var gaps = LongGaps()
    var before = Instant.zero
    for frame in frames {
      let shown = refresh.vsync(frame.presentVsync)
      gaps.add((shown - before).nanoseconds)
      before = shown
    }
    return gaps
  }

  /// What the file says under `key`.
  func text(_ key: RunKey) -> String { zip(RunKey.allCases, keys).first { $0.0 == key }?.1 ?? "" }

  public var scenario: String { text(.scenario) }

  /// Strategy and engine, as the command line has them.
  public var label: String {
    let options = text(.options).split(separator: ";").map { ":\($0)" }.joined()
    let repetition = text(.repetition)
    return "\(text(.strategy))\(options) \(text(.engine))"
      + (repetition == "1" ? "" : " #\(repetition)")
  }
}
