import FrameBudget

/// The names of one kind that a file declares, so that others can refer to them.
struct NameTable {
  private let kind: String
  private let names: [String]

  init(_ kind: String, _ names: [String]) {
    self.kind = kind
    self.names = names
  }

  /// The place of the name that `node` gives.
  func index(of node: SourceNode, _ faults: Faults) -> Int? {
    guard let name = ScalarReader.name.value(of: node, faults) else { return nil }
    return index(of: name, at: node.origin, faults)
  }

  func index(of name: String, at origin: Origin, _ faults: Faults) -> Int? {
    if let index = names.firstIndex(of: name) { return index }
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
}
