import FrameBudget

/// The names of one kind that a file declares, so that others can refer to them.
struct NameTable<Kind> {
  private let kind: String
  private let names: [String]

  init(_ kind: String, _ names: [String]) {
    self.kind = kind
    self.names = names
  }

  /// The place of the name that `node` gives.
  func index(of node: SourceNode, _ faults: Faults) -> TypedIndex<Kind>? {
    guard let name = ScalarReader.name.value(of: node, faults) else { return nil }
    return index(of: name, at: node.origin, faults)
  }

  func index(of name: String, at origin: Origin, _ faults: Faults) -> TypedIndex<Kind>? {
    if let index = names.firstIndex(of: name) { return TypedIndex(index) }
    let remedy =
      names.isEmpty ? "; there are none" : Spelling.suggestion(for: name, among: names)
    faults.record("\(name.quoted) is not a \(kind)\(remedy)", at: origin)
    return nil
  }
}

extension Faults {
  /// Records the second use of a name that only one may have.
  func recordDuplicates(_ kind: String, _ names: [(name: String, origin: Origin)]) {
    var seen = Set<String>()
    for (name, origin) in names where !seen.insert(name).inserted {
      record("two \(kind)s are called \(name.quoted); allowed is a name of its own", at: origin)
    }
  }

  /// Records declarations beyond `limit`, and those that a flag adds: there, a name is misspelt.
  func recordExcess(_ kind: String, _ pairs: [SourceNode.Pair], limit: Int) {
    if pairs.count > limit {
      record(
        "there are more than \(limit) \(kind)s; allowed are up to \(limit)", at: pairs[limit].origin
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
