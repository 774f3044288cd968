internal import FrameBudget

/// Reads rules that assign slices of a recording to services by their names, for `learn`: YAML or JSON.
///
///     - {match: "^decode", as: service decoder}
///     - {match: "RunMicrotasks|GC", as: ignore}
///     - {match: "^paint", as: render}
public enum NameRulesFile {
  /// The meaning of slices with matching names.
  public struct Rule {
    /// A regular expression.
    public let pattern: String
    public let target: Target
    /// The name of the service or workload; empty for other targets.
    public let name: String
  }

  public enum Target: String, CaseIterable, Sendable {
    case service, workload, render, ignore

    /// Whether the target has a name.
    var isNamed: Bool { self == .service || self == .workload }
  }

  /// The rules in their order; the first match applies. `file` is the name in errors.
  public static func parse(_ bytes: [UInt8], file: String) throws(ScenarioError) -> [Rule] {
    let source = try SourceText(bytes, file: file)
    let root = try YAMLReader.root(of: source, allowed: "allowed: a list of rules")
    let faults = Faults()
    let nodes = root.items(of: "rules", limit: Limits.services, faults) ?? []
    let rules = nodes.compactMap { rule($0, faults) }
    try faults.check(in: source)
    return rules
  }

  private static func rule(_ node: SourceNode, _ faults: Faults) -> Rule? {
    guard let fields = Fields(node, of: "a rule", keys: ["match", "as"], faults) else { return nil }
    let match = fields.required("match", .pattern)
    let target = fields.required("as", .target)
    guard let match, let target else { return nil }
    return Rule(pattern: match, target: target.0, name: target.1)
  }
}

extension ScalarReader<String> {
  fileprivate static var pattern: Self {
    ScalarReader("a regular expression") { text throws(Quantity.Failure) in
      guard text.utf8.count <= Limits.patternLength else {
        throw Quantity.Failure("is too long; allowed: \(Limits.patternLength) characters")
      }
      guard (try? Regex(text)) != nil else {
        throw Quantity.Failure("is not a regular expression such as '^decode'")
      }
      return text
    }
  }
}

extension ScalarReader<(NameRulesFile.Target, String)> {
  fileprivate static var target: Self {
    let allowed = "'service NAME', 'workload NAME', 'render' or 'ignore'"
    return ScalarReader(allowed) { text throws(Quantity.Failure) in
      let words = text.split(separator: " ").map(String.init)
      guard let first = words.first, let target = NameRulesFile.Target(rawValue: first),
        words.count == (target.isNamed ? 2 : 1)
      else {
        throw Quantity.Failure("is not a role of slices; allowed: \(allowed)")
      }
      guard target.isNamed else { return (target, "") }
      return (target, try ScalarReader<String>.name.read(words[1]))
    }
  }
}
