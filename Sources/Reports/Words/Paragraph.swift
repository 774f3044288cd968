internal import Parsing

/// Text broken into lines.
public enum Paragraph {
  /// `text` in lines of at most `width` characters where its words allow; all but the first line indented.
  public static func wrapped(_ text: String, width: Int, indent: String = "") -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.printable.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " \(word)"
      } else {
        lines.append(line)
        line = indent + word
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}
