/// A JSON value that keeps the order of its members and the digits of its numbers.
package indirect enum JSON {
  case object([(name: String, value: JSON)])
  case array([JSON])
  case text(String)
  /// In JSON's notation.
  case number(String)
  case flag(Bool)
  case null

  package init(_ value: MetricValue?) {
    switch value {
    case nil: self = .null
    case .text(let text): self = .text(text)
    case .count, .real: self = .number(value?.description ?? "null")
    }
  }

  /// The value of `name`. A seed may exceed the range of a count, but is a number too.
  package static func member(_ name: String, _ value: MetricValue?) -> (name: String, value: JSON) {
    (name, name == RunKey.seed.name ? .number(value?.description ?? "null") : JSON(value))
  }

  package init(_ value: Double?) { self = JSON(value.map(MetricValue.real)) }

  /// The value over several lines, with two spaces per level.
  package func written(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .object(let members) where !members.isEmpty:
      let lines = members.map {
        "\(inner)\(OutputContext.json.escaped($0.name)): \($0.value.written(indent: inner))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.written(indent: inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object: return "{}"
    case .array: return "[]"
    case .text(let text): return OutputContext.json.escaped(text)
    case .number(let number): return number
    case .flag(let flag): return flag ? "true" : "false"
    case .null: return "null"
    }
  }
}
