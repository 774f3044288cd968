internal import FrameBudgetParsing

/// A message in the log of a Wayland client, as libwayland writes it if WAYLAND_DEBUG is set:
///
///     [3213361.883] wl_callback@19.done(1266465)
///     [3213361.896] {Default Queue}  -> wl_surface#7.frame(new id wl_callback#19)
///     [10:00:00.000200] discarded wl_callback#19.done(1266465)
///
/// Newer versions name the queue, write `#` instead of `@`, the time of day instead of milliseconds, and, if told to, colours.
struct WaylandLine: Equatable {
  /// In microseconds of the client's real-time clock, which begins again after `range`.
  let time: Int
  let range: Int
  /// Whether the client has sent it; otherwise it has handled it.
  let isRequest: Bool
  /// Whether it was for an object that the client has destroyed, so that nobody has handled it.
  let isDiscarded: Bool
  let interface: String
  let object: WaylandObject
  let message: String
  /// The text between the parentheses.
  let arguments: String
}

/// An object of a connection to the compositor.
///
/// A browser brings a libwayland of its own, and connects a second time by the toolkit with the system's. Their numbers are the
/// same, but if one of the two is newer, their clocks are not.
struct WaylandObject: Hashable {
  let number: UInt32
  /// That of the clock.
  let range: Int
}

extension WaylandLine {
  /// The message at the end of a line, and the words before it: the client can have written some without a line break.
  ///
  /// - Returns: nil if the line has no message.
  static func last(in bytes: [UInt8]) -> (line: WaylandLine, words: ArraySlice<UInt8>)? {
    let text = withoutColors(bytes)
    guard text.last(where: { !isSpace($0) }) == UInt8(ascii: ")") else { return nil }
    var begin = text.startIndex
    for _ in 0..<most {
      guard let place = text[begin...].firstIndex(of: UInt8(ascii: "[")) else { return nil }
      if let line = WaylandLine(parsing: text[place...]) { return (line, text[..<place]) }
      begin = place + 1
    }
    return nil
  }

  /// Brackets of a line that can begin a message.
  private static let most = 8

  /// Leaves out escape sequences that set colours.
  private static func withoutColors(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(escape) else { return bytes }
    var text: [UInt8] = []
    var rest = bytes[...]
    while let place = rest.firstIndex(of: escape) {
      text += rest[..<place]
      rest = rest[(place + 1)...]
      guard rest.first == UInt8(ascii: "[") else { continue }
      let end = rest.dropFirst().firstIndex { !isDigit($0) && $0 != UInt8(ascii: ";") }
      rest = end.map { rest[($0 + 1)...] } ?? []
    }
    return text + rest
  }

  private static let escape: UInt8 = 0x1b

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0d }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Reads a message that begins with its time and ends with a parenthesis.
  private init?(parsing bytes: ArraySlice<UInt8>) {
    var rest = Words(rest: bytes.dropFirst())
    guard let clock = rest.word(before: "]", upTo: 24), let (time, range) = Self.time(clock) else {
      return nil
    }
    if rest.skip("{"), rest.word(before: "}", upTo: 200) == nil { return nil }
    let isDiscarded = rest.skip("discarded ")
    let isRequest = rest.skip("-> ")
    guard let interface = rest.word(before: "@#", upTo: 100), Self.isName(interface),
      let number = rest.word(before: ".", upTo: 10),
      let object = InputNumber.whole(number, in: 0...Int(UInt32.max)),
      let message = rest.word(before: "(", upTo: 100), Self.isName(message)
    else { return nil }
    let end = rest.rest.lastIndex(of: UInt8(ascii: ")")) ?? rest.rest.endIndex
    self.init(
      time: time, range: range, isRequest: isRequest, isDiscarded: isDiscarded,
      interface: interface, object: WaylandObject(number: UInt32(object), range: range),
      message: message, arguments: String(decoding: rest.rest[..<end], as: UTF8.self))
  }

  /// A name of a protocol, or `[unknown]` and `[event 0]` of an object that is not known any more.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        isDigit($0) || $0 == UInt8(ascii: "_") || (0x61...0x7a).contains($0 | 0x20)
          || "[] ".utf8.contains($0)
      }
  }

  /// Milliseconds, whose microseconds are a number of 32 bits, or the time of day.
  private static func time(_ text: String) -> (Int, range: Int)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let last = parts.last?.split(separator: ".", omittingEmptySubsequences: false),
      last.count == 2
    else { return nil }
    let fraction = InputNumber.whole(last[1], in: 0...999_999)
    switch (parts.count, last[1].utf8.count) {
    case (1, 3):
      guard let milliseconds = InputNumber.whole(last[0], in: 0...4_294_967), let fraction else {
        return nil
      }
      return (milliseconds * 1000 + fraction, 1 << 32)
    case (3, 6):
      guard let hours = InputNumber.whole(parts[0], in: 0...23),
        let minutes = InputNumber.whole(parts[1], in: 0...59),
        let seconds = InputNumber.whole(last[0], in: 0...60), let fraction
      else { return nil }
      let day = 86_400_000_000
      return (((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + fraction, day)
    default: return nil
    }
  }

  /// Reads a line from left to right, without the spaces between its parts.
  private struct Words {
    var rest: ArraySlice<UInt8>

    /// The text before one of `ends`, which is within `most` bytes.
    mutating func word(before ends: String, upTo most: Int) -> String? {
      skipSpaces()
      guard let end = rest.prefix(most + 1).firstIndex(where: { ends.utf8.contains($0) }) else {
        return nil
      }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }

    /// Whether `text` was next; then it is skipped.
    mutating func skip(_ text: String) -> Bool {
      skipSpaces()
      guard rest.starts(with: text.utf8) else { return false }
      rest = rest.dropFirst(text.utf8.count)
      return true
    }

    private mutating func skipSpaces() { rest = rest.drop { WaylandLine.isSpace($0) } }
  }
}

extension WaylandLine {
  /// The object in that argument, as in `wl_surface@7` and `new id wl_callback#19`.
  func object(_ place: Int) -> WaylandObject? {
    guard let text = argument(place), let mark = text.lastIndex(where: { "@#".contains($0) }) else {
      return nil
    }
    return InputNumber.whole(text[text.index(after: mark)...], in: 0...Int(UInt32.max))
      .map { WaylandObject(number: UInt32($0), range: range) }
  }

  /// The number in that argument.
  func number(_ place: Int) -> Int? {
    argument(place).flatMap { InputNumber.whole($0, in: 0...Int(UInt32.max)) }
  }

  /// Texts can have commas: only for messages without texts.
  private func argument(_ place: Int) -> Substring? {
    let parts = arguments.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    return parts.indices.contains(place) ? parts[place].drop { $0 == " " } : nil
  }

  /// The only argument, if it is a text.
  var text: String? {
    guard arguments.utf8.count >= 2, arguments.hasPrefix("\""), arguments.hasSuffix("\"") else {
      return nil
    }
    return String(arguments.dropFirst().dropLast())
  }
}
