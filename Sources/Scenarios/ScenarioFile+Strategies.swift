public import FrameBudget

extension ScenarioFile {
  /// The text of a scenario that compares `strategies` in place of its own, with `overrides` put in.
  ///
  /// What it expects of strategies goes with them; aims stay. Comments are lost. `way` leads from the folder that the text
  /// is for to that of `file`: files that the scenario names by their way from there are named by that from here.
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
    if let place = pairs.firstIndex(where: { $0.key == "expect" }) {
      let aims = (pairs[place].value.pairs ?? [])
        .filter { $0.key == ScenarioDecoder.anyStrategy }
      if aims.isEmpty {
        pairs.remove(at: place)
      } else {
        pairs[place].value.content = .mapping(aims)
      }
    }
    root.content = .mapping(pairs + [SourceNode.pair("strategies", list)])
    return YAMLWriter.text(way.isEmpty ? root : root.going(way))
  }

  /// Whether a file can say where everything lives under `strategy`: all copies of a service in one place.
  public static func canSay(_ strategy: Strategy, of scenario: Scenario) -> Bool {
    if StrategyCatalog.named(strategy.name) != nil { return true }
    let places = zip(scenario.services, strategy.arrangement.placement)
    let entries = zip(scenario.workloads, strategy.arrangement.entry)
    return Dictionary(grouping: places) { $0.0.fileName }.values
      .allSatisfy { Set($0.map(\.1)).count == 1 }
      && Dictionary(grouping: entries) { $0.0.fileName }.values
        .allSatisfy { Set($0.map(\.1)).count == 1 }
  }

  /// Stands in for what a scenario has recorded, where only its other parts matter.
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
  /// The same where what it says of files, by their way from its own folder, begins with `way`.
  fileprivate func going(_ way: String) -> SourceNode {
    var node = self
    switch content {
    case .scalar: break
    case .sequence(let items): node.content = .sequence(items.map { $0.going(way) })
    case .mapping(let pairs):
      let keys = Set(pairs.map(\.key))
      node.content = .mapping(
        pairs.map { pair in
          var pair = pair
          // A service may be called like one of these keys, but has no such neighbour.
          let isFile =
            pair.key == "recorded" && keys.contains("column")
            || pair.key == "files" && keys.contains("steps")
          pair.value = isFile ? pair.value.led(by: way) : pair.value.going(way)
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

  /// A value that no file has.
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
