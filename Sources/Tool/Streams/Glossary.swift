internal import Reports

/// Terms at the left, what they mean beside them.
struct Glossary {
  struct Entry {
    var term: String
    var meaning: String
    /// Each on lines of its own.
    var details: [String]
  }

  let entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries }

  func text(width: Int, isColored: Bool) -> String {
    let column = (entries.map(\.term.count).max() ?? 0) + 2
    let indent = String(repeating: " ", count: column)
    return entries.flatMap { entry in
      var lines = lines(entry.meaning, width: width - column)
      let details = entry.details.flatMap { self.lines($0, width: width - column) }
      lines += details.map { TextStyle.dim.paint($0, isColored) }
      let gap = String(repeating: " ", count: column - entry.term.count)
      let first = entry.term + (lines.isEmpty ? "" : gap + lines.removeFirst())
      return [first] + lines.map { indent + $0 }
    }.map { $0 + "\n" }.joined()
  }

  private func lines(_ text: String, width: Int) -> [String] {
    Paragraph.wrapped(text, width: max(20, width))
  }
}
