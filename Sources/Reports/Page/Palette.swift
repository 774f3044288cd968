/// The page's colours: one meaning each, on light and on dark ground.
///
/// Harm is red, and nothing else is. What is drawn has 3:1 against the ground at least, text 4.5:1. No colour says
/// anything alone: shapes and words stand beside it.
enum Palette: String, CaseIterable {
  case ground
  /// Behind the row that is advised.
  case raised
  case ink
  case dim
  /// Lines that only lead the eye.
  case hair
  /// No new frame, a late answer, work left.
  case harm
  /// A new frame at each vsync.
  case frame
  case logic
  case drawing
  case reading
  /// Handing work and results over, and copying for it.
  case moving
  case pick

  var light: String {
    switch self {
    case .ground: "#ffffff"
    case .raised: "#eef3fb"
    case .ink: "#16181d"
    case .dim: "#4d5563"
    case .hair: "#d9dde4"
    case .harm: "#b3261e"
    case .frame: "#7b8696"
    case .logic: "#c25e00"
    case .drawing: "#43536a"
    case .reading: "#5f86b3"
    case .moving: "#7b4fb5"
    case .pick: "#1857c4"
    }
  }

  var dark: String {
    switch self {
    case .ground: "#111318"
    case .raised: "#1b2536"
    case .ink: "#e9ecf2"
    case .dim: "#a9b2c0"
    case .hair: "#343a46"
    case .harm: "#ff7f76"
    case .frame: "#8a95a6"
    case .logic: "#f0a03c"
    case .drawing: "#c3cfdf"
    case .reading: "#6c9bd1"
    case .moving: "#b896f2"
    case .pick: "#82b4ff"
    }
  }

  /// What it is for: text, graphics, or neither.
  var leastContrast: Double {
    switch self {
    case .ground, .raised, .hair: 1
    case .ink, .dim, .harm, .pick: 4.5
    case .frame, .logic, .drawing, .reading, .moving: 3
    }
  }

  /// The colours as variables of a style sheet.
  static var css: String {
    func variables(_ color: (Palette) -> String) -> String {
      allCases.map { "--\($0.rawValue):\(color($0))" }.joined(separator: ";")
    }
    return """
      :root{color-scheme:light dark;\(variables(\.light))}
      @media screen and (prefers-color-scheme:dark){:root{\(variables(\.dark))}}
      @media print{:root{color-scheme:light}}

      """
  }
}
