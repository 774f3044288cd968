import FrameBudgetParsing
import Testing

struct CSVRecordsTests {
  static func read(_ text: String) throws(InputError) -> [[String]] {
    var records = CSVRecords(ByteSource(Array(text.utf8), name: "file"))
    var read: [[String]] = []
    try records.forEach { (fields) throws(InputError) in read.append(fields) }
    return read
  }

  @Test(
    arguments: [
      ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]), ("a,b", [["a", "b"]]),
      ("a\n\n\nb\n", [["a"], ["b"]]), ("a\r\nb\r\n", [["a"], ["b"]]),
      ("\"two\nlines\",x\ny,z\n", [["two\nlines", "x"], ["y", "z"]]),
      ("\"two\r\nlines\"\r\nx\r\n", [["two\r\nlines"], ["x"]]),
      ("\"\n\n\"\n", [["\n\n"]]), ("x,\"say \"\"hi\n\"\"\"\n", [["x", "say \"hi\n\""]]),
      ("\"a\nb\",\"c\nd\",e\n", [["a\nb", "c\nd", "e"]]), ("a\"b,\"c\nd\"\n", [["a\"b", "c\nd"]]),
    ] as [(String, [[String]])])
  func `a quoted field can span lines`(_ text: String, _ records: [[String]]) throws {
    #expect(try Self.read(text) == records)
  }

  @Test(arguments: [
    ("a\n\"b\nc\n", "file:2: a quoted field is not closed"),
    ("a\n\"b\nc\"d\n", "file:2: a quoted field continues after its closing quote"),
    ("\"" + String(repeating: "\n", count: 70_000), "file:1: the record is longer than"),
  ])
  func `an error in a record names the line in which it begins`(
    _ text: String, _ reason: String
  ) {
    #expect {
      try Self.read(text)
    } throws: { "\($0)".hasPrefix(reason) }
  }

  @Test func `a reader's error names the line in which the record begins`() {
    var records = CSVRecords(ByteSource(Array("a\n\"b\nc\"\n".utf8), name: "file"))
    let error = #expect(throws: InputError.self) {
      try records.forEach { (fields) throws(InputError) in
        if fields[0] != "a" { throw InputError("wrong") }
      }
    }
    #expect(error?.description == "file:2: wrong")
  }
}
