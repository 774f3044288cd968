public import FrameBudget

/// The frames of one run, read back from a per-frame file.
public struct RecordedRun: Sendable {
  /// What tells the run from others, as it stands in the file.
  let keys: [String]
  public let refresh: RefreshRate
  public let duration: TimeSpan
  /// Which of several results it lies beside; empty where there is one.
  public var origin = ""
  public internal(set) var frames: [FrameRecord] = []

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
