import FrameBudget

/// Writes a tree of values as YAML that reads back as the same tree: short values in one line, others over several.
struct YAMLWriter {
  /// The most characters of a value in one line.
  private static let line = 100

  /// A document, with one line for each of its top-level keys.
  static func text(_ root: SourceNode) -> String {
    guard let pairs = root.pairs else { return value(root, indent: "") + "\n" }
    return pairs.map { pair(key: $0.key, $0.value, indent: "") }.joined()
  }

  private static func pair(key: String, _ node: SourceNode, indent: String) -> String {
    let name = scalar(key, isPlain: true, inFlow: false)
    return "\(indent)\(name):\(behind(node, indent: indent))"
  }

  /// The value after a colon or a hyphen, with the end of its line.
  private static func behind(_ node: SourceNode, indent: String) -> String {
    if let short = short(node, indent) { return " \(short)\n" }
    return "\n" + value(node, indent: indent + "  ")
  }

  /// Over several lines.
  private static func value(_ node: SourceNode, indent: String) -> String {
    switch node.content {
    case .scalar(let text, let isPlain):
      indent + scalar(text, isPlain: isPlain, inFlow: false) + "\n"
    case .mapping(let pairs): pairs.map { pair(key: $0.key, $0.value, indent: indent) }.joined()
    case .sequence(let items): items.map { item($0, indent: indent) }.joined()
    }
  }

  private static func item(_ node: SourceNode, indent: String) -> String {
    if let short = short(node, indent) { return "\(indent)- \(short)\n" }
    let lines = value(node, indent: indent + "  ")
    // The first line of its content follows the hyphen.
    return "\(indent)- " + lines.dropFirst(indent.count + 2)
  }

  /// In one line; nil if that is too long.
  private static func short(_ node: SourceNode, _ indent: String) -> String? {
    if case .scalar(let text, let isPlain) = node.content {
      return scalar(text, isPlain: isPlain, inFlow: false)
    }
    let text = flow(node)
    return text.count + indent.count <= line ? text : nil
  }

  private static func flow(_ node: SourceNode) -> String {
    switch node.content {
    case .scalar(let text, let isPlain): scalar(text, isPlain: isPlain, inFlow: true)
    case .sequence(let items): "[" + items.map(flow).joined(separator: ", ") + "]"
    case .mapping(let pairs):
      "{"
        + pairs.map { "\(scalar($0.key, isPlain: true, inFlow: true)): \(flow($0.value))" }
        .joined(separator: ", ") + "}"
    }
  }

  private static func scalar(_ text: String, isPlain: Bool, inFlow: Bool) -> String {
    let node = SourceNode(origin: .file(.start), content: .scalar(text, isPlain: isPlain))
    if node.isNull { return "~" }
    return isPlain && canBePlain(text, inFlow: inFlow) ? text : OutputContext.yaml.escaped(text)
  }

  /// Whether `text` is safe without quotes in YAML; false in case of doubt.
  private static func canBePlain(_ text: String, inFlow: Bool) -> Bool {
    guard let first = text.first, let last = text.last, first.isLetter || first.isNumber,
      last != " ", last != ":"
    else { return false }
    let forbidden = inFlow ? ",[]{}\"'\\" : "\\"
    return !text.contains(": ") && !text.contains(" #")
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }
      && !text.contains { forbidden.contains($0) } && !(inFlow && text.contains(":"))
  }
}
