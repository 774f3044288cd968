internal import FrameBudget

/// A piece of HTML. Text is escaped when it is inserted, for the content of an element or a quoted attribute, so that no name
/// in a file can break out of its place.
struct Markup: ExpressibleByStringInterpolation, Sendable {
  var html = ""

  init(stringLiteral literal: String) { html = literal }

  init(stringInterpolation: Interpolation) { html = stringInterpolation.html }

  /// Trusted text of this program, such as style sheets and scripts.
  init(trusted html: String) { self.html = html }

  var isEmpty: Bool { html.isEmpty }

  static func += (left: inout Markup, right: Markup) { left.html += right.html }

  static func + (left: Markup, right: Markup) -> Markup { "\(left)\(right)" }

  struct Interpolation: StringInterpolationProtocol {
    var html = ""

    init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { html += literal }
    mutating func appendInterpolation(_ text: some StringProtocol) {
      html += OutputContext.markup.escaped(text)
    }
    mutating func appendInterpolation(_ number: Int) { html += String(number) }
    mutating func appendInterpolation(_ markup: Markup) { html += markup.html }
    mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { html += part.html } }
    /// A share of a whole, as a length in a style sheet.
    mutating func appendInterpolation(share: Double) {
      html += Decimal.text(100 * share, places: 3) + "%"
    }
  }
}

extension Markup {
  /// Content in a collapsed section; empty without content.
  static func folded(_ summary: String, _ content: Markup, id: String = "") -> Markup {
    if content.isEmpty { return content }
    let anchor: Markup = id.isEmpty ? "" : " id=\"\(id)\""
    return "<details\(anchor)><summary>\(summary)</summary>\n\(content)</details>\n"
  }

  /// The legend of a picture: the class of each mark, and its meaning.
  static func legend(_ entries: [(mark: String, words: String)]) -> Markup {
    let items: [Markup] = entries.map {
      "<li><i class=\"key \($0.mark)\"></i>\($0.words)</li>"
    }
    return "<ul class=\"legend\">\(items)</ul>\n"
  }
}
