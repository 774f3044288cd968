/// What a terminal that knows only ASCII is shown instead.
public enum Glyphs {
  public static func ascii(_ character: Unicode.Scalar) -> Unicode.Scalar {
    switch character.value {
    case 0x20...0x7e: character
    case 0x2581...0x2583: "_"
    case 0x2584...0x2586: "="
    case 0x2587, 0x2588: "#"
    case 0x2591...0x2593: "x"
    case 0x2500, 0x254c, 0x2013: "-"
    case 0x2502, 0x2506: "|"
    case 0x25b2: "^"
    case 0x25bc: "v"
    case 0x25b6: ">"
    case 0x2026: "~"
    case 0xb7: "."
    case 0xb5: "u"
    case 0x2190...0x2193: "+"
    case 0x2500...0x257f: "+"
    default: "?"
    }
  }

  /// Blocks of zero to eight eighths of a row, from the bottom.
  static let eighths: [Unicode.Scalar] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
