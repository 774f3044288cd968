import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: ProcessInfo.processInfo.environment["REWRITE_GOLDEN"] != "1"))
struct `A text on file` {
  @Test func `is compared byte by byte`() throws {
    try Golden.expect("first\nsecond\n", "sample.txt")
    for other in ["first\nsecond", "first\nthird\n", ""] {
      withKnownIssue { try Golden.expect(other, "sample.txt") }
    }
  }

  @Test func `must exist`() {
    #expect(throws: (any Error).self) { try Golden.expect("", "missing.txt") }
  }
}
