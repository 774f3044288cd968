import Yams

/// Reads YAML into a tree of values with their positions; the only place that calls Yams.
///
/// Anchors, aliases and tags are refused: a scenario needs none, and aliases make small files huge.
struct YAMLReader {
  private let source: SourceText

  /// The only document in the file; `allowed` describes the expected content, for the error about an empty file.
  static func root(
    of source: SourceText, allowed: String
  ) throws(ScenarioError) -> SourceNode {
    let reader = YAMLReader(source: source)
    if source.text.utf8.contains(UInt8(ascii: "&")) { try reader.refuseAnchors() }
    guard let root = try reader.tree(of: source.text) else {
      throw source.error("the file is empty; \(allowed)", at: .start)
    }
    return root
  }

  /// Searches for anchors in a copy without aliases, because Yams hashes keys, and an alias in a key can represent billions of
  /// values. A letter instead of the star keeps every position.
  private func refuseAnchors() throws(ScenarioError) {
    let star = UInt8(ascii: "*")
    let copy = source.text.utf8.map { $0 == star ? UInt8(ascii: "x") : $0 }
    _ = try tree(of: String(decoding: copy, as: UTF8.self))
  }

  private func tree(of text: String) throws(ScenarioError) -> SourceNode? {
    do {
      // Without type rules every scalar stays text.
      let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
      // The parser owns the anchors; nodes only refer to them.
      return try withExtendedLifetime(parser) {
        try parser.singleRoot().map { try node($0, depth: 1) }
      }
    } catch let error as ScenarioError {
      throw error
    } catch let error as YamlError {
      throw source.error(YAMLFault(error))
    } catch {
      throw source.error("this cannot be read as YAML; \(error)", at: .start)
    }
  }

  /// The tags of values without a tag, as far as Yams has determined them: a text, a list, a mapping.
  private static let plainTags = ["", "!"] + [Tag.Name.str, .seq, .map].map(\.rawValue)

  private func node(_ node: Node, depth: Int) throws(ScenarioError) -> SourceNode {
    let position = position(of: node)
    if node.anchor != nil {
      throw source.error(
        "anchors and aliases are not supported; allowed: plain values", at: position)
    }
    guard Self.plainTags.contains(node.tag.rawValue) else {
      throw source.error("tags are not supported; allowed: plain values", at: position)
    }
    if depth > Limits.depth {
      throw source.error("this is nested too deep; allowed: \(Limits.depth) levels", at: position)
    }
    return SourceNode(origin: .file(position), content: try content(of: node, depth: depth))
  }

  private func content(
    of node: Node, depth: Int
  ) throws(ScenarioError) -> SourceNode.Content {
    switch node {
    case .scalar(let scalar):
      return .scalar(scalar.string, isPlain: scalar.style == .plain)
    case .sequence(let items):
      return .sequence(
        try items.map { item throws(ScenarioError) in try self.node(item, depth: depth + 1) })
    case .mapping(let pairs):
      return .mapping(
        try pairs.map { pair throws(ScenarioError) in try self.pair(pair, depth: depth + 1) })
    case .alias:
      throw source.error(
        "aliases are not supported; allowed: plain values", at: position(of: node))
    }
  }

  private func pair(
    _ pair: (key: Node, value: Node), depth: Int
  ) throws(ScenarioError) -> SourceNode.Pair {
    let key = try node(pair.key, depth: depth)
    guard case .scalar(let text, _) = key.content else {
      throw source.error(
        "\(key.kind) cannot be a key; allowed: words", at: position(of: pair.key))
    }
    return SourceNode.Pair(key: text, origin: key.origin, value: try node(pair.value, depth: depth))
  }

  private func position(of node: Node) -> Position {
    node.mark.map { Position(line: $0.line, column: $0.column) } ?? .start
  }
}

/// An error of Yams in plain words, and its position.
struct YAMLFault {
  let message: String
  let position: Position

  init(_ error: YamlError) {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      self.init(problem, while: context, at: mark)
    case .duplicatedKeysInMapping(let keys, let context):
      self.init(
        "the key \((keys.first ?? "").quoted) occurs twice; a mapping may have each key once",
        at: context.mark)
    default:
      self.init("this cannot be read as YAML; \(error)", at: nil)
    }
  }

  private init(_ message: String, at mark: Mark?) {
    self.message = message
    position = mark.map { Position(line: $0.line, column: $0.column) } ?? .start
  }

  private init(_ problem: String, while context: YamlError.Context?, at mark: Mark) {
    if let mistake = Mistake.usual.first(where: { problem.hasPrefix($0.problem) }) {
      let begin = mistake.isWhereItBegins ? context?.mark : nil
      self.init(mistake.message, at: begin ?? mark)
    } else {
      let circumstances = context.map { " (\($0.text))" } ?? ""
      self.init("this is not YAML: \(problem)\(circumstances); allowed: YAML 1.1", at: mark)
    }
  }
}

/// A common mistake: the words of libyaml or Yams, and ours.
private struct Mistake {
  let problem: String
  let message: String
  /// Whether to point at the start of the unterminated part instead of the position of the error.
  var isWhereItBegins = false

  static let usual = [
    Mistake(
      problem: "mapping values are not allowed in this context",
      message:
        "a key is not allowed here; allowed: one 'key: value' to a line, and quotes around a "
        + "text that contains ': '"),
    Mistake(
      problem: "found character that cannot start any token",
      message: "a value cannot begin with this character; allowed: spaces, not tabs, for "
        + "indentation, and quotes around special characters"),
    Mistake(problem: "found a tab character", message: "a tab cannot indent; allowed: spaces"),
    Mistake(
      problem: "but found another document",
      message: "a second document begins here; allowed: one scenario in a file"),
    Mistake(
      problem: "found undefined alias",
      message: "aliases are not supported; allowed: plain values"),
    Mistake(
      problem: "found unexpected end of stream",
      message: "this quote is not closed; allowed: a text between two quotes",
      isWhereItBegins: true),
    Mistake(
      problem: "did not find expected ',' or '}'",
      message: "this '{' is not closed; allowed: '{key: value, key: value}'",
      isWhereItBegins: true),
    Mistake(
      problem: "did not find expected ',' or ']'",
      message: "this '[' is not closed; allowed: '[value, value]'", isWhereItBegins: true),
    Mistake(
      problem: "could not find expected ':'",
      message: "a ':' is missing after this; allowed: 'key: value'", isWhereItBegins: true),
    Mistake(
      problem: "did not find expected '-' indicator",
      message: "this does not belong to the list above; allowed: '- ' items, indented alike"),
    Mistake(
      problem: "did not find expected key",
      message:
        "this does not belong to the mapping above; allowed: 'key: value' lines, indented "
        + "alike"),
    Mistake(
      problem: "Maximum nesting level reached",
      message: "this is nested too deep; allowed: \(Limits.depth) levels"),
  ]
}

extension SourceText {
  func error(_ fault: YAMLFault) -> ScenarioError { error(fault.message, at: fault.position) }
}
