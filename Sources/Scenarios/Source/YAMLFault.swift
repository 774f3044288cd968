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
      self.init(problem, while: context?.text, at: Position(mark))
    case .duplicatedKeysInMapping(let keys, let context):
      self.init(
        "the key \((keys.first ?? "").quoted) is there twice; a mapping may have each key once",
        at: Position(context.mark))
    case .memory:
      // libyaml gives up at a thousand levels, and says neither this nor where.
      self.init("this is nested too deep; allowed are \(Limits.depth) levels", at: .start)
    default:
      self.init("this cannot be read as YAML; \(error)", at: .start)
    }
  }

  private init(_ message: String, at place: Position) {
    self.message = message
    self.place = place
  }

  private init(_ problem: String, while context: String?, at place: Position) {
    let known = Self.known.first { problem.hasPrefix($0.problem) }
    let circumstances = context.map { " (\($0))" } ?? ""
    self.init(
      known?.message ?? "this is not YAML: \(problem)\(circumstances); allowed is YAML 1.1",
      at: place)
  }

  /// libyaml's words for the usual mistakes, and ours.
  private static let known: [(problem: String, message: String)] = [
    (
      "mapping values are not allowed in this context",
      "a key cannot begin here; allowed is one 'key: value' to a line, with a text that contains "
        + "': ' in quotes"
    ),
    (
      "found character that cannot start any token",
      "a value cannot begin with this character; allowed are spaces for indentation, not tabs, "
        + "and quotes around special characters"
    ),
    (
      "found a tab character",
      "a tab cannot indent YAML; allowed are spaces"
    ),
    (
      "but found another document",
      "a second document begins here; allowed is one scenario in a file"
    ),
    ("found undefined alias", "aliases are not supported; allowed are plain values"),
    (
      "found unexpected end of stream",
      "the file ends within a quoted text; allowed is a quote at its end"
    ),
    (
      "did not find expected ',' or '}'",
      "this '{' is not closed; allowed is '{key: value, key: value}'"
    ),
    (
      "did not find expected ',' or ']'",
      "this '[' is not closed; allowed is '[value, value]'"
    ),
    (
      "could not find expected ':'",
      "a ':' is missing after a key; allowed is 'key: value'"
    ),
    (
      "did not find expected '-' indicator",
      "this does not belong to the list above; allowed are '- ' items, indented alike"
    ),
    (
      "did not find expected key",
      "this does not belong to the mapping above; allowed are 'key: value' lines, indented alike"
    ),
  ]
}

extension Position {
  init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }
}

extension SourceText {
  func error(_ fault: YAMLFault) -> ScenarioError { error(fault.message, at: fault.place) }
}
