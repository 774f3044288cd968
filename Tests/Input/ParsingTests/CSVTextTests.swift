import FrameBudgetParsing
import Testing

struct CSVTextTests {
  @Test func `the records contain the written text`() throws {
    var records = CSVRecords(ByteSource(Array("'=a,\"'-b,c\",'d,-1\n".utf8), name: "f"))
    var read: [[String]] = []
    try records.forEach { read.append($0) }
    #expect(read == [["=a", "-b,c", "'d", "-1"]])
  }
}
