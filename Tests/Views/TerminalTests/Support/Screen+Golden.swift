import FrameBudget
import TestSupport

@testable import FrameBudgetTerminal

extension Golden {
  static func check(
    _ screen: Screen, _ name: String, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws {
    try expect(
      screen.picture, "\(name).txt", fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}

extension Screen {
  /// Its characters, then for each cell its role (a capital if bold), then which cells are reversed.
  var picture: String {
    let frame = "+" + String(repeating: "-", count: columns) + "+\n"
    var blocks = [block { String($0.character) }, block { $0.style.letter }]
    let reversed = block { $0.style.isReversed ? "#" : " " }
    if reversed.contains("#") { blocks.append(reversed) }
    return frame + blocks.joined(separator: frame) + frame
  }

  private func block(_ sign: (Cell) -> String) -> String {
    (0..<rows).map { row in
      "|" + (0..<columns).map { sign(self[$0, row]) }.joined() + "|\n"
    }.joined()
  }
}

extension Style {
  fileprivate var letter: String {
    let letter =
      switch role {
      case .plain: isBold ? "A" : " "
      case .quiet: "q"
      case .mark: "m"
      case .good: "g"
      case .fair: "f"
      case .poor: "p"
      case .cause(let cause): String(Self.causes[Int(cause.rawValue)])
      }
    return isBold ? letter.uppercased() : letter
  }

  /// By the order of the cases; other letters than those of the view, of which some are roles of text here.
  private static let causes = Array("wkldournhcs")
}
