/// A list in a cell of a file, with `;` between its elements, which have none: names, numbers, or settings `NAME=VALUE`.
package enum CellList {
  package static let separator: Character = ";"

  package static func text(_ elements: some Sequence<String>) -> String {
    elements.joined(separator: String(separator))
  }

  /// The elements, without empty ones.
  package static func elements(_ text: String) -> [String] {
    text.split(separator: separator).map(String.init)
  }

  /// The values of all elements; nil if the text of one is not a value.
  package static func values<Value>(_ text: String, _ value: (String) -> Value?) -> [Value]? {
    if text.isEmpty { return [] }
    let elements = text.split(separator: separator, omittingEmptySubsequences: false)
    let values = elements.compactMap { value(String($0)) }
    return values.count == elements.count ? values : nil
  }

  /// The parts of `NAME=VALUE`; nil for another text. No name has a `=`.
  package static func setting(_ element: some StringProtocol) -> (name: String, value: String)? {
    let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  /// An element for each of `settings`.
  package static func text(settings: some Sequence<(name: String, value: String)>) -> String {
    text(settings.map { "\($0.name)=\($0.value)" })
  }
}

extension TimeSpan {
  /// The text of a cell: milliseconds to the nanosecond.
  package var inCell: String { Decimal.text(units: nanoseconds, places: 6) }
}
