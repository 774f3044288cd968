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
  package func written() -> String {
    var bytes: [UInt8] = []
    append(to: &bytes, level: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(to bytes: inout [UInt8], level: Int) {
    switch self {
    case .object(let members):
      Self.append(members, "{", "}", to: &bytes, level: level) { member, bytes in
        OutputContext.json.append(member.name, to: &bytes)
        bytes += ": ".utf8
        member.value.append(to: &bytes, level: level + 1)
      }
    case .array(let elements):
      Self.append(elements, "[", "]", to: &bytes, level: level) { element, bytes in
        element.append(to: &bytes, level: level + 1)
      }
    case .text(let text): OutputContext.json.append(text, to: &bytes)
    case .number(let number): bytes += number.utf8
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .null: bytes += "null".utf8
    }
  }

  private static func append<Element>(
    _ elements: [Element], _ open: Unicode.Scalar, _ close: Unicode.Scalar,
    to bytes: inout [UInt8], level: Int, _ append: (Element, inout [UInt8]) -> Void
  ) {
    func newLine(_ level: Int) {
      bytes.append(UInt8(ascii: "\n"))
      bytes += repeatElement(UInt8(ascii: " "), count: 2 * level)
    }
    bytes.append(UInt8(ascii: open))
    for (place, element) in elements.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      newLine(level + 1)
      append(element, &bytes)
    }
    if !elements.isEmpty { newLine(level) }
    bytes.append(UInt8(ascii: close))
  }
}
