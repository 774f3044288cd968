internal import FrameBudget

/// The style sheet and the script of the page, from `page.css` and `page.js`.
enum PageStyle {
  static let css = String(decoding: PackageResources.page_css, as: UTF8.self)

  /// The script, after the names of the phases, by their number in a strip.
  static let script =
    "const phases=[\(phases)];\n" + String(decoding: PackageResources.page_js, as: UTF8.self)

  private static let phases = Phase.parts
    .map { OutputContext.json.escaped($0.kind?.words ?? $0.name) }.joined(separator: ",")
}

/// The page's colours: each has one meaning, on light and on dark background.
///
/// Only problems are red. Graphics have a contrast of at least 3:1, text 4.5:1. Shapes and words repeat the meaning of every colour.
enum Palette: String, CaseIterable {
  case ground
  /// Behind the advised row.
  case raised
  case ink
  case dim
  /// Thin lines that only guide the eye.
  case hair
  /// No new frame, a late answer, work left.
  case problem
  /// A new frame at each vsync.
  case frame
  case logic
  case drawing
  case reading
  /// Handing work and results over, and copying for it.
  case moving
  case pick

  private var shades: (light: String, dark: String) {
    switch self {
    case .ground: ("#ffffff", "#111318")
    case .raised: ("#eef3fb", "#1b2536")
    case .ink: ("#16181d", "#e9ecf2")
    case .dim: ("#4d5563", "#a9b2c0")
    case .hair: ("#d9dde4", "#343a46")
    case .problem: ("#b3261e", "#ff7f76")
    case .frame: ("#7b8696", "#8a95a6")
    case .logic: ("#c25e00", "#f0a03c")
    case .drawing: ("#43536a", "#c3cfdf")
    case .reading: ("#5f86b3", "#6c9bd1")
    case .moving: ("#7b4fb5", "#b896f2")
    case .pick: ("#1857c4", "#82b4ff")
    }
  }

  var light: String { shades.light }
  var dark: String { shades.dark }

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
