internal import Parsing

/// A line that GitHub shows beside a build: what its toolkit calls a workflow command.
struct GitHubAnnotation {
  enum Level: String { case error, warning, notice }

  let level: Level
  let title: String
  let text: String

  init(_ level: Level, _ title: String, _ text: String) {
    (self.level, self.title, self.text) = (level, title, text)
  }

  /// With its end.
  var line: String {
    "::\(level.rawValue) title=\(Self.percentEncoded(title.printable, ":,"))"
      + "::\(Self.percentEncoded(text.printable))\n"
  }

  /// What would end a workflow command, or a property of it, as GitHub's toolkit writes it.
  private static func percentEncoded(_ text: String, _ others: String = "") -> String {
    text.unicodeScalars.map { scalar in
      guard "%\r\n".unicodeScalars.contains(scalar) || others.unicodeScalars.contains(scalar) else {
        return String(scalar)
      }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}
