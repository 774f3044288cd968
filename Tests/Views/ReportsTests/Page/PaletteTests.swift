import Foundation
import Testing

@testable import FrameBudgetReports

struct PaletteTests {
  /// WCAG 2.2, relative luminance.
  private func luminance(_ color: String) throws -> Double {
    let channels = try [1, 3, 5].map { place -> Double in
      let start = color.index(color.startIndex, offsetBy: place)
      let digits = color[start..<color.index(start, offsetBy: 2)]
      let value = Double(try #require(Int(digits, radix: 16))) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
  }

  private func contrast(_ left: String, _ right: String) throws -> Double {
    let both = [try luminance(left), try luminance(right)].sorted()
    return (both[1] + 0.05) / (both[0] + 0.05)
  }

  @Test func `contrast is what WCAG says it is`() throws {
    #expect(try abs(contrast("#000000", "#ffffff") - 21) < 1e-9)
    #expect(try abs(contrast("#777777", "#ffffff") - 4.478) < 0.001)
  }

  @Test(arguments: Palette.allCases)
  func `text has 4.5 to 1 and graphics 3 to 1 on every ground, light and dark`(
    _ color: Palette
  ) throws {
    for shade in [\Palette.light, \.dark] {
      for ground in [Palette.ground, .raised] {
        let found = try contrast(color[keyPath: shade], ground[keyPath: shade])
        #expect(found >= color.leastContrast, "\(color) on \(ground): \(found)")
      }
    }
  }

  /// The tooltip has the background's colour on the text's.
  @Test func `text in the background's colour can be read`() throws {
    #expect(try contrast(Palette.ink.light, Palette.ground.light) >= 4.5)
    #expect(try contrast(Palette.ink.dark, Palette.ground.dark) >= 4.5)
  }

  @Test func `only problems are red`() throws {
    func isRed(_ color: String) throws -> Bool {
      let value = try #require(Int(color.dropFirst(), radix: 16))
      let (red, green, blue) = (value >> 16, value >> 8 & 255, value & 255)
      // The hue within 15 degrees of red.
      let spread = red - min(green, blue)
      return spread > 60 && red > max(green, blue) && abs(green - blue) * 4 <= spread
    }
    for color in Palette.allCases {
      #expect(try isRed(color.light) == (color == .problem), "\(color)")
      #expect(try isRed(color.dark) == (color == .problem), "\(color)")
    }
  }

  @Test func `the style sheet names no colour of its own`() {
    let css = PageStyle.css
    #expect(css.firstMatch(of: /#[0-9a-f]{3,6}\b(?!t)/) == nil)
    for name in css.matches(of: /var\(--([a-z]+)\)/).map(\.output.1) {
      #expect(Palette(rawValue: String(name)) != nil, "\(name)")
    }
    for color in Palette.allCases { #expect(css.contains("var(--\(color.rawValue))"), "\(color)") }
  }

  @Test func `states of threads are distinguished by more than colour`() {
    #expect(Set(Activity.allCases.map(\.words)).count == Activity.allCases.count)
    for activity in Activity.allCases {
      #expect(PageStyle.css.contains(".\(activity.mark){"), "\(activity)")
    }
  }
}

extension Palette {
  /// The required contrast, by use: text, graphics, or neither.
  fileprivate var leastContrast: Double {
    switch self {
    case .ground, .raised, .hair: 1
    case .ink, .dim, .problem, .pick: 4.5
    case .frame, .logic, .drawing, .reading, .moving: 3
    }
  }
}
