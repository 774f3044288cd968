import FrameBudgetParsing
import Testing

/// Skipping a value ends where reading it ends, and finds the same errors.
@Suite struct `Skipping JSON` {
  private typealias Draw = SystemRandomNumberGenerator

  private static func value(_ draw: inout Draw, depth: Int) -> String {
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &draw) ?? "" }
    let space = pick(["", "", "", " ", "\n\t "])
    switch Int.random(in: 0..<(depth > 6 ? 4 : 7), using: &draw) {
    case 0: return space + pick(["0", "-12.5e+3", "17", "3.0E-2", "-"]) + space
    case 1: return space + pick(["true", "false", "null"])
    case 2, 3: return space + string(&draw)
    case 4:
      let count = Int.random(in: 0...4, using: &draw)
      let members = (0..<count).map { _ in
        "\(space)\(string(&draw))\(space):\(value(&draw, depth: depth + 1))"
      }
      return "{\(members.joined(separator: ","))\(space)}\(space)"
    default:
      let count = Int.random(in: 0...4, using: &draw)
      let values = (0..<count).map { _ in value(&draw, depth: depth + 1) }
      return "[\(values.joined(separator: ","))\(space)]"
    }
  }

  private static func string(_ draw: inout Draw) -> String {
    let pieces = [
      "a", "name", "{", "}", "[", "]", ",", ":", #"\""#, #"\\"#, #"\n"#, #"\u00e9"#, "é", "😀",
      "12345678",
      "a longer piece of text",
    ]
    let count = Int.random(in: 0...5, using: &draw)
    return "\"\((0..<count).map { _ in pieces.randomElement(using: &draw) ?? "" }.joined())\""
  }

  /// The same text with up to two bytes replaced, removed or doubled.
  private static func damaged(_ text: [UInt8], _ draw: inout Draw) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 0...2, using: &draw) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &draw)
      switch Int.random(in: 0..<3, using: &draw) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(bytes[place], at: place)
      default:
        bytes[place] = Array("{}[]\",:\\ 0truefalsnx\u{1}".utf8).randomElement(using: &draw) ?? 0
      }
    }
    return bytes
  }

  /// Reads a value of any kind with all that is in it.
  private static func read(_ reader: inout JSONReader) throws(InputError) {
    switch try reader.kind() {
    case .object:
      try reader.object { (reader, _) throws(InputError) in try Self.read(&reader) }
    case .array: try reader.array { (reader) throws(InputError) in try Self.read(&reader) }
    case .string: _ = try reader.string()
    case .number: _ = try reader.numberText()
    case .boolean: _ = try reader.boolean()
    case .null: _ = try reader.fixedPoint(places: 0)
    }
  }

  /// The error of `pass` on the text, or what follows the value; from memory, and in pieces.
  private static func outcomes(
    _ text: [UInt8], _ pass: (inout JSONReader) throws(InputError) -> Void
  ) -> [String] {
    [false, true].map { isStreamed in
      do throws(InputError) {
        var reader =
          isStreamed ? try JSONReader(ByteSource(text, name: "text")) : JSONReader(text)
        try pass(&reader)
        try reader.end()
        return "ends"
      } catch {
        return error.of("text").description
      }
    }
  }

  private static func expectSame(_ text: [UInt8]) {
    let read = outcomes(text) { (reader) throws(InputError) in try Self.read(&reader) }
    let skipped = outcomes(text) { (reader) throws(InputError) in try reader.skip() }
    #expect(skipped == read, "\(String(decoding: text, as: UTF8.self))")
  }

  @Test func `ends where reading ends, with the same errors`() {
    var draw = Draw()
    var broken = 0
    for _ in 0..<3000 {
      let text = Self.damaged(Array(Self.value(&draw, depth: 0).utf8), &draw)
      Self.expectSame(text)
      broken +=
        Self.outcomes(text) { (reader) throws(InputError) in try reader.skip() }[0] == "ends"
        ? 0 : 1
    }
    #expect((300..<2700).contains(broken), "\(broken) texts are broken")
  }

  /// A piece of a streamed text ends within the skipped value.
  @Test func `does not depend on where pieces end`() {
    var draw = Draw()
    for _ in 0..<30 {
      let value = Array(Self.value(&draw, depth: 0).utf8)
      let shift = (1 << 18) - Int.random(in: 0...(value.count + 2), using: &draw)
      Self.expectSame(
        Array(repeating: UInt8(ascii: " "), count: shift) + Self.damaged(value, &draw))
    }
  }

  @Test(arguments: [1, 63, 64, 65, 127, 128, 129])
  func `values may be as deep as for reading`(_ depth: Int) {
    let texts = ["[", "{\"a\":"].map { open in
      String(repeating: open, count: depth)
        + "1" + String(repeating: open == "[" ? "]" : "}", count: depth)
    }
    for text in texts { Self.expectSame(Array(text.utf8)) }
  }
}
