public import FrameBudget

/// Reads scenario files.
public enum ScenarioFile {
  /// The scenario that `bytes` describe, with `overrides` put in before it is checked.
  ///
  /// `file` is what errors call it. The first error in the order of the file is thrown.
  public static func parse(
    _ bytes: [UInt8], file: String, overrides: [Override] = []
  ) throws(ScenarioError) -> Scenario {
    let source = try SourceText(bytes, file: file)
    var root = try YAMLReader.root(of: source)
    let faults = Faults()
    for override in overrides { root.apply(override, faults) }
    let scenario = ScenarioDecoder(faults: faults).scenario(root)
    try faults.check(in: source)
    guard let scenario else { preconditionFailure("what cannot be decoded has a fault") }
    return scenario
  }
}
