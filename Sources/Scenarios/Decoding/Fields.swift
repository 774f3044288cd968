import FrameBudget

/// The values of one mapping, taken by key; what is wrong is recorded, and nil stands in for it.
struct Fields {
  let origin: Origin
  let faults: Faults
  /// Whether a key may be misspelt: then a missing one is probably the same mistake.
  private let hasUnknownKeys: Bool
  private let what: String
  private let pairs: [SourceNode.Pair]

  /// `what` names the mapping in messages, `keys` are all it may have. Nil if `node` is no mapping.
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

  /// The value of `key`, which must be there; `allowed` says what it is.
  func required(_ key: String, _ allowed: String) -> SourceNode? {
    if let node = self[key] { return node }
    recordMissing("'\(key)' is missing in \(what); it is \(allowed)")
    return nil
  }

  /// Whether `key` is there, or certainly is not: not perhaps under a misspelt key.
  func isDecided(_ key: String) -> Bool { self[key] != nil || !hasUnknownKeys }

  /// Records that something is not there, unless it may be there under a misspelt key.
  func recordMissing(_ message: String) {
    if !hasUnknownKeys { faults.record(message, at: origin) }
  }

  func required<Value>(_ key: String, _ reader: ScalarReader<Value>) -> Value? {
    required(key, reader.allowed).flatMap { reader.value(of: $0, faults) }
  }

  func optional<Value>(_ key: String, _ reader: ScalarReader<Value>) -> Value? {
    self[key].flatMap { reader.value(of: $0, faults) }
  }

  /// Where `key` stands; the mapping's own place if it is not there.
  func origin(of key: String) -> Origin { pairs.first { $0.key == key }?.origin ?? origin }

  /// Which of `keys` are there, in the file's order.
  func present(_ keys: [String]) -> [String] { pairs.map(\.key).filter(keys.contains) }
}

extension SourceNode {
  /// The pairs, in the file's order; `allowed` fits after `allowed is `.
  func mapping(of allowed: String, _ faults: Faults) -> [Pair]? {
    if let pairs { return pairs }
    faults.record("this is \(kind); allowed is \(allowed)", at: origin)
    return nil
  }

  /// The items of a list that is not longer than `limit`.
  func items(of allowed: String, limit: Int, _ faults: Faults) -> [SourceNode]? {
    guard case .sequence(let items) = content else {
      faults.record("this is \(kind); allowed is a list of \(allowed)", at: origin)
      return nil
    }
    if items.count > limit {
      faults.record(
        "there are more than \(limit) \(allowed); allowed are up to \(limit)",
        at: items[limit].origin)
      return nil
    }
    return items
  }

  /// The one key of a mapping and its value; `what` is what the key names.
  func onlyPair(_ what: String, _ faults: Faults) -> Pair? {
    guard let pairs = mapping(of: what, faults) else { return nil }
    if pairs.count == 1 { return pairs[0] }
    faults.record(
      "this has \(pairs.count) keys; allowed is one, \(what)",
      at: pairs.dropFirst().first?.origin ?? origin)
    return nil
  }
}

extension [String] {
  var list: String { joined(separator: ", ") }
}
