/// Reads the elements of an XML text one after another, in constant memory: those that programs write, without a document
/// type, whose entities could be of any size. (Foundation's parser needs libxml2, and keeps the whole text.)
public struct XMLReader: ~Copyable {
  public enum Event {
    /// A tag that opens an element, with its attributes.
    case begin(name: String, attributes: [String: String])
    /// The text of an element; elements with several parts have several.
    case text(String)
    case end
  }

  /// The limits for a tag or a text, and for the nesting of elements.
  private static let longest = 1 << 20
  private static let deepest = 100

  private var source: ByteSource
  private var bytes = [UInt8](repeating: 0, count: 1 << 16)
  private var index = 0
  private var filled = 0
  private var line = 1
  /// The names of the open elements.
  private var open: [String] = []
  /// Whether the last tag also closes its element.
  private var closes = false

  public init(_ source: consuming ByteSource) { self.source = source }

  /// Whether a file with these first bytes may be XML.
  public static func isXML(_ opening: [UInt8]) -> Bool {
    String(decoding: opening.prefix(100), as: UTF8.self).drop { $0 == "\u{FEFF}" }
      .hasPrefix("<?xml")
  }

  /// The next event; nil at the end of the text.
  public mutating func next() throws(InputError) -> Event? {
    if closes {
      closes = false
      open.removeLast()
      return .end
    }
    while let byte = try peek() {
      guard byte == UInt8(ascii: "<") else {
        let text = try take(until: "<", hasQuotes: false, isText: true)
        if text.contains(where: { $0 > 0x20 }), !open.isEmpty {
          return .text(try Self.unescaped(text, self))
        }
        continue
      }
      index += 1
      if let event = try tag() { return event }
    }
    guard open.isEmpty else { throw failure("the text ends within <\(open[open.count - 1])>") }
    return nil
  }

  /// Reads a tag; nil for a comment or a declaration.
  private mutating func tag() throws(InputError) -> Event? {
    switch try peek() {
    case UInt8(ascii: "?"):
      _ = try take(until: ">", hasQuotes: false)
      return nil
    case UInt8(ascii: "!"):
      let text = try take(until: ">", hasQuotes: false)
      guard text.starts(with: Array("!--".utf8)) else {
        throw failure("document types and character data are not supported")
      }
      if !text.suffix(2).elementsEqual(Array("--".utf8)) || text.count < 5 { try passComment() }
      return nil
    case UInt8(ascii: "/"):
      let name = String(decoding: try take(until: ">").dropFirst(), as: UTF8.self)
      guard open.last == name.trimmed else {
        throw failure("</\(name)> closes no element")
      }
      open.removeLast()
      return .end
    default: return try element()
    }
  }

  private mutating func passComment() throws(InputError) {
    while true {
      let text = try take(until: ">", hasQuotes: false)
      if text.suffix(2).elementsEqual(Array("--".utf8)) { return }
    }
  }

  private mutating func element() throws(InputError) -> Event {
    var text = try take(until: ">")[...]
    if text.last == UInt8(ascii: "/") {
      text.removeLast()
      closes = true
    }
    let name = text.prefix { $0 > 0x20 }
    guard !name.isEmpty, open.count < Self.deepest else {
      throw failure(
        name.isEmpty ? "a tag has no name" : "elements are nested more than \(Self.deepest) deep")
    }
    open.append(String(decoding: name, as: UTF8.self))
    return .begin(
      name: open[open.count - 1], attributes: try attributes(text.dropFirst(name.count)))
  }

  private func attributes(_ text: ArraySlice<UInt8>) throws(InputError) -> [String: String] {
    var found: [String: String] = [:]
    var rest = text.drop { $0 <= 0x20 }
    while !rest.isEmpty {
      let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(name.count).drop { $0 <= 0x20 }
      let hasValue = rest.popFirst() == UInt8(ascii: "=")
      rest = rest.drop { $0 <= 0x20 }
      guard hasValue, !name.isEmpty, let quote = rest.popFirst(),
        quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = rest.firstIndex(of: quote)
      else { throw failure("an attribute has the form name=\"value\"") }
      found[String(decoding: name, as: UTF8.self)] = try Self.unescaped(
        Array(rest[rest.startIndex..<end]), self)
      rest = rest[(end + 1)...].drop { $0 <= 0x20 }
    }
    return found
  }

  private static func unescaped(
    _ bytes: [UInt8], _ reader: borrowing Self
  ) throws(InputError) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      guard let end = rest[start...].prefix(12).firstIndex(of: ";"),
        let character = character(rest[rest.index(after: start)..<end])
      else { throw reader.failure("'&' does not begin a known entity") }
      result.unicodeScalars.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private static func character(_ entity: Substring) -> Unicode.Scalar? {
    switch entity {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard entity.first == "#" else { return nil }
      let digits = entity.dropFirst()
      let number =
        digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
      return number.flatMap(Unicode.Scalar.init)
    }
  }

  // MARK: Bytes

  private mutating func peek() throws(InputError) -> UInt8? {
    if index < filled { return bytes[index] }
    (index, filled) = (0, try source.read(into: &bytes, from: 0))
    return filled > 0 ? bytes[0] : nil
  }

  /// The bytes before `delimiter`. That of a tag is passed, and does not count in quotes; that of a text stays.
  private mutating func take(
    until delimiter: Unicode.Scalar, hasQuotes: Bool = true, isText: Bool = false
  ) throws(InputError) -> [UInt8] {
    let wanted = UInt8(ascii: delimiter)
    var taken: [UInt8] = []
    var quote: UInt8?
    while let byte = try peek() {
      if byte == wanted, quote == nil {
        if !isText { index += 1 }
        return taken
      }
      if hasQuotes, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), quote ?? byte == byte {
        quote = quote == nil ? byte : nil
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      taken.append(byte)
      index += 1
      guard taken.count <= Self.longest else {
        throw failure("a tag or text of more than \(Self.longest >> 20) MB")
      }
    }
    guard isText else { throw failure("the text ends within a tag") }
    return taken
  }

  /// An error at the current place.
  public func failure(_ reason: String) -> InputError { InputError(reason, line: line) }
}

extension String {
  fileprivate var trimmed: String { String(prefix { $0 > " " }) }
}
