import Testing

@testable import Reference

@Suite struct `A text with a generated part` {
  private let text = "above\n\(MarkedText.begin)old\n\(MarkedText.end)\nbelow\n"

  @Test func `keeps what stands outside its markers`() throws {
    let new = try MarkedText(text).holding("new\n")
    #expect(new == "above\n\(MarkedText.begin)new\n\(MarkedText.end)\nbelow\n")
    #expect(try MarkedText(new).holding("old\n") == text)
  }

  @Test(arguments: ["", MarkedText.begin, MarkedText.end, MarkedText.end + MarkedText.begin])
  func `is refused without its markers`(_ text: String) {
    #expect(throws: MarkedText.MissingMarkers.self) { try MarkedText(text) }
  }
}
