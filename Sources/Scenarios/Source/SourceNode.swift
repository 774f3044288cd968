/// A value of a scenario file that knows where it stands.
struct SourceNode: Sendable {
  var origin: Origin
  var content: Content

  enum Content: Sendable {
    /// `isPlain`: written without quotes, so that an empty one means that there is no value.
    case scalar(String, isPlain: Bool)
    case sequence([SourceNode])
    case mapping([Pair])
  }

  struct Pair: Sendable {
    var key: String
    var origin: Origin
    var value: SourceNode
  }

  /// Whether a key stands there without a value.
  var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return ["", "~", "null"].contains(text)
  }

  /// What this is, in words that fit after `this is `.
  var kind: String {
    switch content {
    case .scalar: isNull ? "empty" : "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  /// The pairs of a mapping; a key without a value counts as a mapping without keys.
  var pairs: [Pair]? {
    if case .mapping(let pairs) = content { return pairs }
    return isNull ? [] : nil
  }

  /// What an item of a list calls itself.
  var ownName: String? {
    pairs?.first { $0.key == "name" || $0.key == "as" }?.value.text
  }

  var text: String? {
    guard !isNull, case .scalar(let text, _) = content else { return nil }
    return text
  }
}
