/// A scenario file as text, in lines as YAML counts them.
struct SourceText: Sendable {
  let file: String
  let text: String

  /// Checks size, encoding and characters, so that what follows deals with text only.
  init(_ bytes: [UInt8], file: String) throws(ScenarioError) {
    self.file = file
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    text = String(decoding: content.prefix(Limits.fileBytes), as: UTF8.self)
    if bytes.count > Limits.fileBytes {
      throw error("this file is too large; allowed are \(Limits.fileBytes) bytes", at: .start)
    }
    if let fault = Self.firstFault(in: content) { throw error(fault.message, at: fault.place) }
  }

  func error(_ message: String, at place: Position) -> ScenarioError {
    ScenarioError([fault(message, at: place)])
  }

  /// `message` about `place`, which is moved to the end of the text if it lies beyond.
  func fault(_ message: String, at place: Position) -> ScenarioError.Fault {
    let lines = self.lines
    let number = min(max(place.line, 1), lines.count)
    let line = lines[number - 1]
    let column = place.line > lines.count ? line.count + 1 : place.column
    return ScenarioError.Fault(
      message,
      at: .file(
        file, line: number, column: min(max(column, 1), line.count + 1),
        text: String(String.UnicodeScalarView(line))))
  }

  /// A text that ends with a line break ends there and not with an empty line.
  private var lines: [[Unicode.Scalar]] {
    var lines = [[Unicode.Scalar]()]
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if Position.endsLine(scalar, after: previous) {
        lines.append([])
      } else if scalar != "\n" {
        lines[lines.count - 1].append(scalar)
      }
      previous = scalar
    }
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func firstFault(
    in bytes: ArraySlice<UInt8>
  ) -> (message: String, place: Position)? {
    var decoder = UTF8()
    var input = bytes.makeIterator()
    var place = Position.start
    var previous: Unicode.Scalar?
    while true {
      switch decoder.decode(&input) {
      case .emptyInput: return nil
      case .error: return ("this is not UTF-8; allowed is UTF-8 text", place)
      case .scalarValue(let scalar):
        if !isPrintable(scalar) { return (unprintable(scalar), place) }
        place.advance(over: scalar, after: previous)
        previous = scalar
      }
    }
  }

  /// YAML 1.1, section 4.1: what may stand in a file.
  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0x10000...: true
    case 0xE000...0xFFFD: scalar.value != 0xFEFF
    default: false
    }
  }

  private static func unprintable(_ scalar: Unicode.Scalar) -> String {
    let code = String(scalar.value, radix: 16, uppercase: true)
    return "a control character (U+\(code)) stands here; allowed are printable ones"
  }
}
