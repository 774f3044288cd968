import Foundation
import Testing

@testable import FrameBudget

/// Names with a special meaning in some context.
@Suite struct `A text from outside` {
  private static let names = [
    "plain", "", "a\nb\r\tc\r\n", "\u{1B}]0;owned\u{7}", "\u{9B}31m", "\u{202E}gpj", "\u{2028}",
    "\u{FEFF}\u{200F}", "\u{0}", "\u{FFFE}\u{FFFF}\u{10FFFF}", "=1+1", "@x", "'=x", "a,\"b\"\",",
    "\"",
    "<script>alert(1)</script>", "&lt;", "]]>", "-->", "[x](y)", "[\u{301}x](y)", "![x](y)",
    "|a|\\|",
    "`code`", "\\", "\\\"", "::error title=x::y", "100%0A::error::", "  ::error::x",
    "a ##[add-mask]b", "##[error]",
    "see https://example.org/x", "www.example.org", "@octocat", "a@example.org", "&#64;octocat",
    "key: value # no", "- ",
    "{{a}}",
    "zażółć 👩‍💻 ❤️",
  ]

  /// Control characters, except ends of lines and tabs if `place` quotes those.
  private func isHarmless(_ text: String, in place: OutputContext) -> Bool {
    !text.unicodeScalars.contains {
      $0.isDisruptive && !(place == .csv && "\n\r\t".unicodeScalars.contains($0))
    }
  }

  @Test(arguments: OutputContext.allCases, names)
  func `is harmless in every context, and reads back unchanged`(
    _ place: OutputContext, _ name: String
  )
    throws
  {
    let escaped = place.escaped(name)
    #expect(isHarmless(escaped, in: place), "\(escaped.debugDescription)")
    switch place {
    case .terminal: #expect(!Self.isLogCommand(escaped), "\(escaped)")
    case .annotation: break
    case .annotationProperty: #expect(!escaped.contains { ":,".contains($0) })
    case .markdown: #expect(Self.isMarkdownText(escaped), "\(escaped)")
    case .markup:
      #expect(!escaped.unicodeScalars.contains { "<>\"".unicodeScalars.contains($0) })
      #expect(Self.plain(markup: escaped) == OutputContext.printable(name))
    case .csv: #expect(Self.hasOneField(escaped))
    case .json: #expect(try JSONDecoder().decode(String.self, from: Data(escaped.utf8)) == name)
    case .yaml:
      // Such a scalar of YAML equals JSON, except for the eight digits of a character's number.
      let json = escaped.replacing(/\\U0000([0-9a-f]{4})/) { "\\u\($0.output.1)" }
      guard !json.contains("\\U") else { break }
      #expect(try JSONDecoder().decode(String.self, from: Data(json.utf8)) == name)
    }
    if place == .annotation || place == .annotationProperty {
      #expect(escaped.removingPercentEncoding == OutputContext.printable(name))
    }
  }

  /// Whether a job's log takes the line, or a part of it, for a command.
  private static func isLogCommand(_ line: String) -> Bool {
    line.drop { $0 == " " }.hasPrefix("::") || line.contains("##[")
  }

  @Test func `names nobody and links nothing in Markdown`() {
    #expect(OutputContext.markdown.escaped("@octocat") == "@&#8203;octocat")
    #expect(OutputContext.markdown.escaped("a@example.org") == "a@&#8203;example.org")
    #expect(OutputContext.markdown.escaped("https://example.org") == "https\\://example.org")
    #expect(OutputContext.markdown.escaped("www.example.org") == "www\\.example.org")
    #expect(OutputContext.markdown.escaped("&#64;octocat") == "\\&#64;octocat")
  }

  /// Whether there is a backslash before each special character.
  private static func isMarkdownText(_ text: String) -> Bool {
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if "|<>[`".unicodeScalars.contains(scalar) {
        return false
      }
    }
    return !isEscaped
  }

  private static func plain(markup: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")].reduce(markup) {
      $0.replacing($1.0, with: $1.1)
    }
  }

  /// As specified in RFC 4180.
  private static func hasOneField(_ field: String) -> Bool {
    guard field.hasPrefix("\"") else {
      return !field.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
    }
    let inner = field.unicodeScalars.dropFirst().dropLast()
    let quotes = String(String.UnicodeScalarView(inner)).replacing("\"\"", with: "")
    return field.unicodeScalars.count > 1 && field.unicodeScalars.last == "\""
      && !quotes.unicodeScalars.contains("\"")
  }
}
