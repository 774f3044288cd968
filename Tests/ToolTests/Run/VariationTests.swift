import FrameBudget
import Scenarios
import Testing

@testable import Tool

struct `--vary` {
  @Test(arguments: [
    ("a.b=1..4", ["1", "2", "3", "4"]), ("a=3..3", ["3"]), ("a=-1..1", ["-1", "0", "1"]),
    ("a=1,5,9", ["1", "5", "9"]), ("a=60 Hz,120 Hz", ["60 Hz", "120 Hz"]),
    ("a=1.5,2.5", ["1.5", "2.5"]), ("a=9..10 ms", ["9 ms", "10 ms"]), ("a=1..2/s", ["1/s", "2/s"]),
    ("a=x", ["x"]), ("a=1...3", ["1...3"]), ("a=b=c", ["b=c"]),
  ])
  func `takes a range of whole numbers or a list`(_ text: String, _ values: [String]) throws {
    #expect(try Variation(parsing: text).overrides().map(\.value) == values)
  }

  @Test(arguments: [
    ("a", "is not a variation"), ("=1", "is not a variation"), ("a=", "is not a variation"),
    ("a=1,,2", "has an empty value"), ("a=4..1", "ends before it begins"),
    ("a=1..1001", "has too many values"),
    ("a=-9223372036854775808..9223372036854775807", "has too many values"),
  ])
  func `says what is wrong`(_ text: String, _ problem: String) {
    do {
      _ = try Variation(parsing: text).overrides()
      Issue.record("it was taken")
    } catch {
      #expect(error.status == .usage)
      #expect(error.message.contains(problem))
    }
  }

  @Test func `allows a thousand values`() throws {
    #expect(try Variation(parsing: "a=1..1000").overrides().count == 1000)
  }
}
