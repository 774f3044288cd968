import FrameBudgetCaptures
import FrameBudgetParsing
import Testing

struct RecordedColumnTests {
  static func read(_ text: String, _ column: String) throws(InputError) -> [Int64] {
    try RecordedColumn.read(ByteSource(Array(text.utf8), name: "log"), column: column)
  }

  @Test func `a column is found below a preamble, its missing values left out`() throws {
    let text = "os,cpu\nDebian,x\nfps,frametime\n60,16.5\n,NA\n30,33\n"
    #expect(try Self.read(text, "FrameTime") == [16_500_000, 33_000_000])
  }

  @Test(arguments: [("draw_ns", 5), ("draw_us", 5000), ("draw_ms", 5_000_000), ("draw", 5_000_000)])
  func `the unit of a column is derived from its name`(_ column: String, _ nanoseconds: Int64)
    throws
  {
    #expect(try Self.read("\(column)\n5\n", column) == [nanoseconds])
  }

  @Test(arguments: [
    ("a\n1\n", "log: has no column 'frame'"), ("frame\n", "log: has no value in column 'frame'"),
    ("frame\n-1\n", "log:2: '-1' is not a duration"), ("frame\nx\n", "log:2: 'x' is not a number"),
    ("a,frame\n1\n", "log:2: the row has 1 fields"),
  ])
  func `a file that is not a recording is a one-line error`(_ text: String, _ reason: String) {
    #expect {
      try Self.read(text, "frame")
    } throws: { "\($0)".hasPrefix(reason) }
  }
}
