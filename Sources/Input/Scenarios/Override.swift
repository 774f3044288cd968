import FrameBudget

/// A value that replaces one of the file, or adds one: `--set PATH=VALUE`.
///
/// The path consists of keys from the top, separated by dots. It identifies an item of a list by its `name` (an arrangement by
/// its `as`) or by its index from 0: `workloads.tap.priority`, `ui.reads.0.cpu`.
public struct Override: Hashable, Sendable {
  public let path: String
  public let value: String
  /// The flag for error messages: by default `--set PATH=VALUE`.
  let flag: String?

  /// `flag` is the name of another flag that sets one value: `--duration 5 s` sets `duration`.
  public init(path: String, value: String, flag: String? = nil) {
    self.path = path
    self.value = value
    self.flag = flag
  }

  public init(parsing text: String) throws(ScenarioError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].split(separator: ".").isEmpty else {
      throw ScenarioError(
        "\(text.quoted) is not a change; allowed: PATH=VALUE, such as display.refresh=120 Hz",
        at: .flag("--set"))
    }
    self.init(path: String(parts[0]), value: String(parts[1]))
  }

  var segments: ArraySlice<String> {
    path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
  }

  /// The flag in an error about the path.
  var pathLocation: ScenarioError.Location { .flag(flag ?? "--set \(path)") }
  /// The flag in an error about the value.
  var valueLocation: ScenarioError.Location { .flag(flag ?? "--set \(path)=\(value)") }
}

extension SourceNode {
  /// Sets the value at the override's path, and adds missing keys.
  ///
  /// This does not check whether an added key is allowed; the decoder does.
  mutating func apply(_ override: Override, _ faults: Faults) {
    let segments = override.segments
    guard segments.count <= Limits.depth else {
      faults.record(
        "this path is too long; allowed: \(Limits.depth) names", at: .path(override))
      return
    }
    set(segments, override, faults)
  }

  /// Sets the value at `rest` of a path in an item of the list of strategies: an option of a named strategy, whose item may be
  /// only its name, or a key of an arrangement.
  private mutating func setStrategy(
    _ rest: ArraySlice<String>, _ override: Override, _ faults: Faults
  ) {
    guard let name = strategyName, let option = rest.first else {
      return set(rest, override, faults)
    }
    // A path by index names the strategy too: strategies.0.throttled.batch.
    let options = option == name ? rest : [name] + rest
    if text != nil { content = .mapping([]) }
    set(options, override, faults)
  }

  /// The name of a named strategy in the list; nil for an arrangement.
  private var strategyName: String? {
    if let text { return text }
    guard let pairs, pairs.count == 1, ownName == nil else { return nil }
    return pairs[0].key
  }

  private mutating func set(
    _ segments: ArraySlice<String>, _ override: Override, _ faults: Faults
  ) {
    guard let segment = segments.first else {
      self = SourceNode(origin: .value(override), content: .scalar(override.value, isPlain: true))
      return
    }
    switch content {
    case .sequence(let items):
      guard let index = Self.index(segment, in: items, override, faults) else { return }
      update(items, at: index, segments.dropFirst(), override, faults)
    case .mapping(let pairs):
      update(pairs, segment, segments.dropFirst(), override, faults)
    case .scalar where isNull:
      update([], segment, segments.dropFirst(), override, faults)
    case .scalar(let text, _):
      faults.record(
        "there is no \(segment.quoted) in \(text.quoted); allowed: paths that end before it",
        at: .path(override))
    }
  }

  private mutating func update(
    _ items: [SourceNode], at index: Int, _ rest: ArraySlice<String>, _ override: Override,
    _ faults: Faults
  ) {
    var items = items
    if override.isOfStrategy(before: rest) {
      items[index].setStrategy(rest, override, faults)
    } else {
      items[index].set(rest, override, faults)
    }
    content = .sequence(items)
  }

  private mutating func update(
    _ pairs: [Pair], _ key: String, _ rest: ArraySlice<String>, _ override: Override,
    _ faults: Faults
  ) {
    var pairs = pairs
    if !pairs.contains(where: { $0.key == key }) {
      let empty = SourceNode(origin: .path(override), content: .mapping([]))
      pairs.append(Pair(key: key, origin: .path(override), value: empty))
    }
    for index in pairs.indices where pairs[index].key == key {
      pairs[index].value.set(rest, override, faults)
    }
    content = .mapping(pairs)
  }

  /// The item at `segment`: by its name, otherwise by its index from 0.
  private static func index(
    _ segment: String, in items: [SourceNode], _ override: Override, _ faults: Faults
  ) -> Int? {
    let names = items.map {
      $0.ownName ?? (override.segments.first == "strategies" ? $0.strategyName : nil)
    }
    if let index = names.firstIndex(of: segment) { return index }
    if let index = Int(segment), items.indices.contains(index) { return index }
    let known = names.compactMap(\.self)
    let remedy =
      known.isEmpty
      ? "; allowed: places below \(items.count)"
      : Spelling.suggestion(for: segment, among: known)
    faults.record("the list has no item \(segment.quoted)\(remedy)", at: .path(override))
    return nil
  }
}

extension Override {
  /// Whether the path without `rest` identifies an item of the list of strategies.
  fileprivate func isOfStrategy(before rest: ArraySlice<String>) -> Bool {
    segments.first == "strategies" && segments.count - rest.count == 2
  }
}
