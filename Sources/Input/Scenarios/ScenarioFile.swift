public import FrameBudget

/// A scenario file whose text has been read once, for many variants of it.
public struct ParsedScenario: Sendable {
  private let source: SourceText
  private let root: SourceNode

  /// Reads the text; the values are checked by `scenario`.
  public init(_ bytes: [UInt8], file: String) throws(ScenarioError) {
    source = try SourceText(bytes, file: file)
    root = try YAMLReader.root(of: source, allowed: "a scenario begins with 'scenario: NAME'")
  }

  /// The scenario with `overrides` applied before it is checked.
  public func scenario(
    _ overrides: [Override] = [],
    recording: @escaping ScenarioFile.RecordingReader = ScenarioFile.noRecordings
  ) throws(ScenarioError) -> Scenario {
    var root = root
    let faults = Faults()
    for override in overrides { root.apply(override, faults) }
    let scenario = ScenarioDecoder(faults: faults, recording: recording).scenario(root)
    try faults.check(in: source)
    guard let scenario else { preconditionFailure("what cannot be decoded has a fault") }
    return scenario
  }
}

extension Scenario {
  /// The scenario that its file describes with this seed; nil if more items would arrive than a run can hold.
  public func having(seed: UInt64) -> Scenario? {
    var scenario = self
    scenario.seed = seed
    return scenario.workloadWithTooManyItems == nil ? scenario : nil
  }
}

/// Reads scenario files.
public enum ScenarioFile {
  /// Reads the durations in a column of a file that a scenario names.
  public typealias RecordingReader =
    (_ file: String, _ column: String) throws(RecordingError) -> RecordedDurations

  /// The reason why a recording could not be read, as a sentence.
  public struct RecordingError: Error, Hashable, Sendable {
    public let reason: String
    public init(_ reason: String) { self.reason = reason }
  }

  /// The scenario in `bytes`, with `overrides` applied before it is checked.
  ///
  /// `file` is the name in errors. The error has all faults, in the order of the file. `recording` reads the files that the
  /// scenario names.
  public static func parse(
    _ bytes: [UInt8], file: String, overrides: [Override] = [],
    recording: @escaping RecordingReader = noRecordings
  ) throws(ScenarioError) -> Scenario {
    try ParsedScenario(bytes, file: file).scenario(overrides, recording: recording)
  }

  /// For scenarios without a folder of their own.
  public static func noRecordings(
    _ file: String, _ column: String
  ) throws(RecordingError) -> RecordedDurations {
    throw RecordingError("'recorded' needs a file, which this scenario cannot name")
  }
}

extension ScenarioFile {
  /// New costs of a step; workloads by their names in the file, steps by their indices.
  public struct StepCost: Hashable, Sendable {
    public let workload: String
    public let step: Int
    public let cpu: TimeSpan

    public init(workload: String, step: Int, cpu: TimeSpan) {
      self.workload = workload
      self.step = step
      self.cpu = cpu
    }
  }

  /// The text of a scenario with new values of `cpu` for some of its steps; everything else, including comments, stays
  /// unchanged.
  public static func text(
    of bytes: [UInt8], file: String, with costs: [StepCost]
  ) throws(ScenarioError) -> String {
    let source = try SourceText(bytes, file: file)
    let root = try YAMLReader.root(of: source, allowed: "a scenario begins with 'scenario: NAME'")
    var changes: [(range: Range<String.Index>, text: String)] = []
    for cost in costs {
      guard let position = root.cpu(of: cost) else { preconditionFailure("a step of the scenario") }
      changes.append((try source.value(at: position), cost.cpu.description))
    }
    var text = source.text
    // From the end, so that earlier ranges stay valid.
    for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      text.replaceSubrange(change.range, with: change.text)
    }
    return text
  }
}

extension SourceNode {
  fileprivate func cpu(of cost: ScenarioFile.StepCost) -> Position? {
    let step = self["workloads"]?[named: cost.workload]?["steps"]?[cost.step]
    guard case .file(let position)? = step?["cpu"]?.origin else { return nil }
    return position
  }

  private subscript(key: String) -> SourceNode? { pairs?.first { $0.key == key }?.value }

  private subscript(named name: String) -> SourceNode? {
    guard case .sequence(let items) = content else { return nil }
    return items.first { $0["name"]?.text == name }
  }

  private subscript(index: Int) -> SourceNode? {
    guard case .sequence(let items) = content, items.indices.contains(index) else { return nil }
    return items[index]
  }
}

extension SourceText {
  /// The range of the value that begins at `position`: a plain or quoted one, or a `{…}`.
  fileprivate func value(at position: Position) throws(ScenarioError) -> Range<String.Index> {
    let scalars = text.unicodeScalars
    let start = index(of: position)
    let rest = scalars[start...]
    let line = rest.prefix { !Position.endsLine($0, after: nil) }
    var end: String.Index?
    switch rest.first {
    case "'", "\"":
      end = line.dropFirst().firstIndex(of: rest.first ?? "'").map(scalars.index(after:))
    case "{":
      end = line.firstIndex(of: "}", closing: "{").map(scalars.index(after:))
    default:
      let plain = line.prefix { !",}]#".unicodeScalars.contains($0) }
      // The first key of a block on a line of its own is not a value that can be replaced in place.
      if !plain.contains(":") { end = plain.lastIndex { $0 != " " }.map(scalars.index(after:)) }
    }
    guard let end else {
      throw error("this cpu takes several lines; allowed: one, such as 'cpu: 1 ms'", at: position)
    }
    return start..<end
  }

  private func index(of target: Position) -> String.Index {
    var position = Position.start
    var previous: Unicode.Scalar?
    for index in text.unicodeScalars.indices {
      if position == target && text.unicodeScalars[index] != "\n" { return index }
      position.advance(over: text.unicodeScalars[index], after: previous)
      previous = text.unicodeScalars[index]
    }
    return text.endIndex
  }
}

extension Substring.UnicodeScalarView {
  /// The index of the bracket that closes the first one.
  fileprivate func firstIndex(of close: Unicode.Scalar, closing open: Unicode.Scalar) -> Index? {
    var depth = 0
    for index in indices {
      if self[index] == open { depth += 1 }
      if self[index] == close { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}

extension ScenarioFile {
  /// The text of a scenario that compares `strategies` instead of its own, with `overrides` applied.
  ///
  /// The expectations of its own strategies are removed; aims stay. Comments are lost. `way` is the path from the folder of the
  /// new text to that of `file`; paths of other files are changed accordingly.
  public static func text(
    of bytes: [UInt8], file: String, overrides: [Override] = [], comparing strategies: [Strategy],
    way: String = ""
  ) throws(ScenarioError) -> String {
    let scenario = try SourceText(bytes, file: file)
    var root = try YAMLReader.root(of: scenario, allowed: "a scenario begins with 'scenario: NAME'")
    let faults = Faults()
    for override in overrides { root.apply(override, faults) }
    try faults.check(in: scenario)
    let app = try parse(bytes, file: file, overrides: overrides, recording: anyRecording)
    let list = SourceNode(strategies.map { StrategyNode($0, in: app).node })
    var pairs = (root.pairs ?? []).filter { $0.key != "strategies" }
    if let index = pairs.firstIndex(where: { $0.key == "expect" }) {
      let aims = (pairs[index].value.pairs ?? [])
        .filter { $0.key == ScenarioDecoder.anyStrategy }
      if aims.isEmpty {
        pairs.remove(at: index)
      } else {
        pairs[index].value.content = .mapping(aims)
      }
    }
    root.content = .mapping(pairs + [SourceNode.pair("strategies", list)])
    return YAMLWriter.text(way.isEmpty ? root : root.prefixingPaths(with: way))
  }

  /// Whether a file can describe `strategy`: all copies of a service must have one placement.
  public static func canDescribe(_ strategy: Strategy, of scenario: Scenario) -> Bool {
    if StrategyCatalog.named(strategy.name) != nil { return true }
    let placements = zip(scenario.services, strategy.arrangement.placement)
    let entries = zip(scenario.workloads, strategy.arrangement.entry)
    return Dictionary(grouping: placements) { $0.0.fileName }.values
      .allSatisfy { Set($0.map(\.1)).count == 1 }
      && Dictionary(grouping: entries) { $0.0.fileName }.values
        .allSatisfy { Set($0.map(\.1)).count == 1 }
  }

  /// A placeholder for recordings, where only other parts of the scenario matter.
  private static func anyRecording(
    _ file: String, _ column: String
  ) throws(RecordingError) -> RecordedDurations {
    guard let durations = RecordedDurations([.milliseconds(1)]) else {
      preconditionFailure("a duration")
    }
    return durations
  }
}

extension SourceNode {
  /// The same with `way` before the paths of files.
  fileprivate func prefixingPaths(with way: String) -> SourceNode {
    var node = self
    switch content {
    case .scalar: break
    case .sequence(let items): node.content = .sequence(items.map { $0.prefixingPaths(with: way) })
    case .mapping(let pairs):
      let keys = Set(pairs.map(\.key))
      node.content = .mapping(
        pairs.map { pair in
          var pair = pair
          // A service may have the name of one of these keys, but not the key beside it.
          let isFile =
            pair.key == "recorded" && keys.contains("column")
            || pair.key == "files" && keys.contains("steps")
          pair.value = isFile ? pair.value.led(by: way) : pair.value.prefixingPaths(with: way)
          return pair
        })
    }
    return node
  }

  private func led(by way: String) -> SourceNode {
    guard case .scalar(let path, let isPlain) = content, !path.hasPrefix("/") else { return self }
    var node = self
    node.content = .scalar(way + path, isPlain: isPlain)
    return node
  }

  /// A value that is not in a file.
  private init(_ content: Content) { self.init(origin: .file(.start), content: content) }

  init(_ text: String) { self.init(.scalar(text, isPlain: true)) }

  init(_ items: [SourceNode]) { self.init(.sequence(items)) }

  init(_ pairs: [(key: String, value: SourceNode)]) {
    self.init(.mapping(pairs.map { Self.pair($0.key, $0.value) }))
  }

  static func pair(_ key: String, _ value: SourceNode) -> Pair {
    Pair(key: key, origin: .file(.start), value: value)
  }
}
