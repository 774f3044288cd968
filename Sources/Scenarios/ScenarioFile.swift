public import FrameBudget

/// Reads scenario files.
public enum ScenarioFile {
  /// Reads the durations in a column of a file that a scenario names.
  public typealias RecordingReader =
    (_ file: String, _ column: String) throws(RecordingError) -> RecordedDurations

  /// What kept a recording from being read, as a sentence.
  public struct RecordingError: Error, Hashable, Sendable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
  }

  /// The scenario that `bytes` describe, with `overrides` put in before it is checked.
  ///
  /// `file` is what errors call it. All that is wrong is thrown at once, in the order of the file.
  /// Files that the scenario names are read by `recording`.
  public static func parse(
    _ bytes: [UInt8], file: String, overrides: [Override] = [],
    recording: @escaping RecordingReader = noRecordings
  ) throws(ScenarioError) -> Scenario {
    let source = try SourceText(bytes, file: file)
    var root = try YAMLReader.root(
      of: source, allowed: "a scenario begins with 'scenario: NAME'")
    let faults = Faults()
    for override in overrides { root.apply(override, faults) }
    let scenario = ScenarioDecoder(faults: faults, recording: recording).scenario(root)
    try faults.check(in: source)
    guard let scenario else { preconditionFailure("what cannot be decoded has a fault") }
    return scenario
  }

  /// For scenarios that come without a folder of their own.
  public static func noRecordings(
    _ file: String, _ column: String
  ) throws(RecordingError) -> RecordedDurations {
    throw RecordingError("'recorded' needs a file, which this scenario cannot name")
  }
}
