/// A line of a file, or the part of it around a column, with a caret below that column.
struct Excerpt: CustomStringConvertible {
  private var scalars: [Unicode.Scalar]
  private let caret: Int

  /// At most `width` scalars of `line`, so that one endless line does not flood a terminal.
  init(of line: String, column: Int, width: Int) {
    let all = Array(line.unicodeScalars)
    let place = min(max(column - 1, 0), all.count)
    let start = all.count <= width ? 0 : min(max(0, place - width / 2), all.count - width)
    scalars = Array(all[start...].prefix(width))
    if start > 0 { scalars[0] = "…" }
    if start + width < all.count { scalars[width - 1] = "…" }
    caret = place - start
  }

  var description: String {
    let text = String(String.UnicodeScalarView(scalars.map { shown($0) }))
    let margin = scalars[..<caret].map { padding(for: $0) }.joined()
    return "\(text)\n\(margin)^"
  }

  private func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar != "\t" && scalar.isControl ? "\u{FFFD}" : scalar
  }

  /// What is as wide as `scalar` on a terminal: a tab for a tab, nothing for what combines.
  private func padding(for scalar: Unicode.Scalar) -> String {
    if scalar == "\t" { return "\t" }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return ""
    case .format: return scalar.isControl ? " " : ""
    default: return Self.isWide(scalar) ? "  " : " "
    }
  }

  /// The blocks that UAX #11 calls wide, without their few exceptions.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
