internal import FrameBudget

/// Comma-separated values as RFC 4180 quotes them; lines end in a line feed alone, as Unix tools expect.
enum CSV {
  static func line(_ fields: [String]) -> String {
    var line = ""
    for (place, field) in fields.enumerated() {
      if place > 0 { line += "," }
      line += TextPlace.csv.escaped(field)
    }
    return line + "\n"
  }
}
