import Foundation
import Testing

@testable import Terminal

/// Screens on file, byte by byte.
///
/// `REWRITE_GOLDEN=1 swift test --filter TerminalTests` writes them anew; the diff is the review.
enum Golden {
  static func check(
    _ screen: Screen, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = screen.picture
    let file = folder.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["REWRITE_GOLDEN"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let expected = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    #expect(text == expected, "\(name):\n\(text)", sourceLocation: sourceLocation)
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Golden")
}

extension Screen {
  /// Its characters, then for each cell its ink (a capital if bold), then which cells are reversed.
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
      switch ink {
      case .plain: isBold ? "A" : " "
      case .quiet: "q"
      case .mark: "m"
      case .good: "g"
      case .fair: "f"
      case .poor: "p"
      case .wakeup: "w"
      case .lock: "k"
      case .logic: "l"
      case .drain: "d"
      case .post: "o"
      case .reads: "u"
      case .render: "r"
      case .preempted: "n"
      case .machine: "h"
      }
    return isBold ? letter.uppercased() : letter
  }
}
