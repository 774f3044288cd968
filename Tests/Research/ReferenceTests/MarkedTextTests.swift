import Testing

@testable import FrameBudgetReference

@Suite struct `A text with a generated part` {
  private static let markers = MarkedText.markers()
  private let text = "above\n\(Self.markers.begin)old\n\(Self.markers.end)\nbelow\n"

  @Test func `keeps the text outside of its markers`() throws {
    let new = try MarkedText(text).holding("new\n")
    #expect(new == "above\n\(Self.markers.begin)new\n\(Self.markers.end)\nbelow\n")
    #expect(try MarkedText(new).holding("old\n") == text)
  }

  @Test(arguments: ["", markers.begin, markers.end, markers.end + markers.begin])
  func `is refused without its markers`(_ text: String) {
    #expect(throws: MarkedText.MissingMarkers.self) { try MarkedText(text) }
  }

  @Test func `keeps the generated part of another command`() throws {
    let other = MarkedText.markers("make other")
    let both = "\(text)\(other.begin)theirs\n\(other.end)\n"
    #expect(try MarkedText(both, by: "make other").holding("new\n").hasPrefix(text))
    #expect(throws: MarkedText.MissingMarkers.self) { try MarkedText(text, by: "make other") }
  }
}
