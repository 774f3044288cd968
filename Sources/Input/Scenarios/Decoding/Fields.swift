import FrameBudget

/// Reads the values of one mapping by key. Faults are recorded, and their values are nil.
struct Fields {
  let origin: Origin
  let faults: Faults
  /// Whether the mapping has an unknown key, which may be a misspelling of a missing one.
  private let hasUnknownKeys: Bool
  private let what: String
  private let pairs: [SourceNode.Pair]

  /// `what` is the mapping's name in messages, `keys` are all allowed keys. Nil if `node` is not a mapping.
  init?(_ node: SourceNode, of what: String, keys: [String], _ faults: Faults) {
    origin = node.origin
    self.faults = faults
    self.what = what
    guard let pairs = node.mapping(of: "a mapping with the keys \(keys.list)", faults) else {
      return nil
    }
    self.pairs = pairs
    let unknown = pairs.filter { !keys.contains($0.key) }
    hasUnknownKeys = !unknown.isEmpty
    for pair in unknown {
      let remedy = Spelling.suggestion(for: pair.key, among: keys)
      faults.record("\(pair.key.quoted) is not a key of \(what)\(remedy)", at: pair.origin)
    }
  }

  subscript(key: String) -> SourceNode? { pairs.first { $0.key == key }?.value }

  /// The value of the required `key`; `allowed` describes it.
  func required(_ key: String, _ allowed: String) -> SourceNode? {
    if let node = self[key] { return node }
    recordMissing("'\(key)' is missing in \(what); it is \(allowed)")
    return nil
  }

  /// Whether `key` exists, or is missing for certain, not because of a misspelling.
  func isDecided(_ key: String) -> Bool { self[key] != nil || !hasUnknownKeys }

  /// Records a missing value, unless it may be under a misspelt key.
  func recordMissing(_ message: String) {
    if !hasUnknownKeys { faults.record(message, at: origin) }
  }

  func required<Value>(_ key: String, _ reader: ScalarReader<Value>) -> Value? {
    required(key, reader.allowed).flatMap { reader.value(of: $0, faults) }
  }

  func optional<Value>(_ key: String, _ reader: ScalarReader<Value>) -> Value? {
    self[key].flatMap { reader.value(of: $0, faults) }
  }

  /// The position of `key`; the mapping's own if the key is missing.
  func origin(of key: String) -> Origin { pairs.first { $0.key == key }?.origin ?? origin }

  /// The existing ones of `keys`, in the file's order.
  func present(_ keys: [String]) -> [String] { pairs.map(\.key).filter(keys.contains) }
}

extension SourceNode {
  /// The pairs in the file's order; `allowed` fits after `allowed: `.
  func mapping(of allowed: String, _ faults: Faults) -> [Pair]? {
    if let pairs { return pairs }
    faults.record("this is \(kind); allowed: \(allowed)", at: origin)
    return nil
  }

  /// The items of a list of at most `limit` items.
  func items(of allowed: String, limit: Int, _ faults: Faults) -> [SourceNode]? {
    guard case .sequence(let items) = content else {
      faults.record("this is \(kind); allowed: a list of \(allowed)", at: origin)
      return nil
    }
    if items.count > limit {
      faults.record(
        "there are more than \(limit) \(allowed); allowed: up to \(limit)",
        at: items[limit].origin)
      return nil
    }
    return items
  }

  /// The key and value of a mapping with one pair; `what` describes the key.
  func onlyPair(_ what: String, _ faults: Faults) -> Pair? {
    guard let pairs = mapping(of: what, faults) else { return nil }
    if pairs.count == 1 { return pairs[0] }
    faults.record(
      "this has \(pairs.count) keys; allowed: one, \(what)",
      at: pairs.dropFirst().first?.origin ?? origin)
    return nil
  }
}

extension [String] {
  var list: String { joined(separator: ", ") }
}

/// The declared names of one kind, for references to them.
struct NameTable<Kind> {
  private let kind: String
  private let names: [String]

  init(_ kind: String, _ names: [String]) {
    self.kind = kind
    self.names = names
  }

  /// The index of the name in `node`.
  func index(of node: SourceNode, _ faults: Faults) -> TypedIndex<Kind>? {
    guard let name = ScalarReader.name.value(of: node, faults) else { return nil }
    return index(of: name, at: node.origin, faults)
  }

  func index(of name: String, at origin: Origin, _ faults: Faults) -> TypedIndex<Kind>? {
    if let index = names.firstIndex(of: name) { return TypedIndex(index) }
    let remedy =
      names.isEmpty ? "; none are declared" : Spelling.suggestion(for: name, among: names)
    faults.record("\(name.quoted) is not a \(kind)\(remedy)", at: origin)
    return nil
  }
}

extension Faults {
  /// Records the second use of a name.
  func recordDuplicates(_ kind: String, _ names: [(name: String, origin: Origin)]) {
    var seen = Set<String>()
    for (name, origin) in names where !seen.insert(name).inserted {
      record("two \(kind)s are called \(name.quoted); allowed: a name of its own", at: origin)
    }
  }

  /// Records declarations beyond `limit`, and those that a flag adds: there, a name is misspelt.
  func recordExcess(_ kind: String, _ pairs: [SourceNode.Pair], limit: Int) {
    if pairs.count > limit {
      record(
        "there are more than \(limit) \(kind)s; allowed: up to \(limit)", at: pairs[limit].origin
      )
    }
    let declared = pairs.filter { if case .file = $0.origin { true } else { false } }
    for pair in pairs {
      guard case .path = pair.origin else { continue }
      _ = NameTable<SourceNode.Pair>(kind, declared.map(\.key)).index(
        of: pair.key, at: pair.origin, self)
    }
  }
}

/// Collects the faults of a file, in any order.
final class Faults {
  private struct Fault: Hashable {
    let message: String
    let origin: Origin
  }

  private var all: [Fault] = []

  var isEmpty: Bool { all.isEmpty }

  /// The number of faults so far: a part of the file is valid if decoding it added none.
  var count: Int { all.count }

  func record(_ message: String, at origin: Origin) {
    all.append(Fault(message: message, origin: origin))
  }

  /// Throws the collected faults, each once: in the order of the file, then those of flags.
  func check(in source: SourceText) throws(ScenarioError) {
    let faults = inOrder.distinct()
    if faults.isEmpty { return }
    let shown = faults.prefix(Limits.shownFaults)
    throw ScenarioError(shown.map { fault($0, in: source) }, omitted: faults.count - shown.count)
  }

  private var inOrder: [Fault] {
    all.enumerated().sorted { one, other in
      if one.element.origin.precedes(other.element.origin) { return true }
      if other.element.origin.precedes(one.element.origin) { return false }
      return one.offset < other.offset
    }.map(\.element)
  }

  private func fault(_ fault: Fault, in source: SourceText) -> ScenarioError.Fault {
    switch fault.origin {
    case .file(let position): source.fault(fault.message, at: position)
    case .path(let override): ScenarioError.Fault(fault.message, at: override.pathLocation)
    case .value(let override): ScenarioError.Fault(fault.message, at: override.valueLocation)
    }
  }
}

/// Reads instants that must not decrease.
struct TimeOrder {
  private let faults: Faults
  private var last = TimeSpan.zero

  init(_ faults: Faults) { self.faults = faults }

  mutating func instant(_ node: SourceNode?) -> TimeSpan? {
    guard let node, let span = ScalarReader.duration.value(of: node, faults) else { return nil }
    if span < last {
      faults.record("\(span) is before \(last); allowed: instants in order", at: node.origin)
    }
    last = max(last, span)
    return span
  }
}

extension NewestRule {
  private enum Word: String, CaseIterable { case all, latest }

  /// `all`, `latest`, `{debounce: 300 ms}` or `{throttle: 100 ms}`.
  init?(_ node: SourceNode, _ faults: Faults) {
    if node.text != nil {
      guard let word = ScalarReader<Word>.choice("a rule for newer items").value(of: node, faults)
      else { return nil }
      self = word == .all ? .all : .latest
      return
    }
    let keys = ["debounce", "throttle"]
    guard Fields(node, of: "admission", keys: keys, faults) != nil,
      let pair = node.onlyPair(keys.joined(separator: " or "), faults), keys.contains(pair.key),
      let span = ScalarReader.positiveDuration.value(of: pair.value, faults)
    else { return nil }
    self = pair.key == "debounce" ? .debounce(span) : .throttle(span)
  }
}
