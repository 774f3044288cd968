import Yams

/// What Yams found wrong, in words a person can act on, and where.
struct YAMLFault {
  let message: String
  let place: Position

  init(_ error: YamlError) {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      self.init(problem, while: context, at: mark)
    case .duplicatedKeysInMapping(let keys, let context):
      self.init(
        "the key \((keys.first ?? "").quoted) is there twice; a mapping may have each key once",
        at: context.mark)
    default:
      self.init("this cannot be read as YAML; \(error)", at: nil)
    }
  }

  private init(_ message: String, at mark: Mark?) {
    self.message = message
    place = mark.map { Position(line: $0.line, column: $0.column) } ?? .start
  }

  private init(_ problem: String, while context: YamlError.Context?, at mark: Mark) {
    if let mistake = Mistake.usual.first(where: { problem.hasPrefix($0.problem) }) {
      let begin = mistake.isWhereItBegins ? context?.mark : nil
      self.init(mistake.message, at: begin ?? mark)
    } else {
      let circumstances = context.map { " (\($0.text))" } ?? ""
      self.init("this is not YAML: \(problem)\(circumstances); allowed is YAML 1.1", at: mark)
    }
  }
}

/// One of the usual mistakes: how libyaml or Yams puts it, and how we do.
private struct Mistake {
  let problem: String
  let message: String
  /// Whether to point at what was not ended rather than at where that was noticed.
  var isWhereItBegins = false

  static let usual = [
    Mistake(
      problem: "mapping values are not allowed in this context",
      message:
        "a key cannot stand here; allowed is one 'key: value' to a line, and quotes around a "
        + "text that contains ': '"),
    Mistake(
      problem: "found character that cannot start any token",
      message: "a value cannot begin with this character; allowed are spaces, not tabs, for "
        + "indentation, and quotes around special characters"),
    Mistake(problem: "found a tab character", message: "a tab cannot indent; allowed are spaces"),
    Mistake(
      problem: "but found another document",
      message: "a second document begins here; allowed is one scenario in a file"),
    Mistake(
      problem: "found undefined alias",
      message: "aliases are not supported; allowed are plain values"),
    Mistake(
      problem: "found unexpected end of stream",
      message: "this quote is not closed; allowed is a text between two quotes",
      isWhereItBegins: true),
    Mistake(
      problem: "did not find expected ',' or '}'",
      message: "this '{' is not closed; allowed is '{key: value, key: value}'",
      isWhereItBegins: true),
    Mistake(
      problem: "did not find expected ',' or ']'",
      message: "this '[' is not closed; allowed is '[value, value]'", isWhereItBegins: true),
    Mistake(
      problem: "could not find expected ':'",
      message: "a ':' is missing after this; allowed is 'key: value'", isWhereItBegins: true),
    Mistake(
      problem: "did not find expected '-' indicator",
      message: "this does not belong to the list above; allowed are '- ' items, indented alike"),
    Mistake(
      problem: "did not find expected key",
      message:
        "this does not belong to the mapping above; allowed are 'key: value' lines, indented "
        + "alike"),
    Mistake(
      problem: "Maximum nesting level reached",
      message: "this is nested too deep; allowed are \(Limits.depth) levels"),
  ]
}

extension SourceText {
  func error(_ fault: YAMLFault) -> ScenarioError { error(fault.message, at: fault.place) }
}
