import FrameBudgetParsing
import Testing

struct CSVFieldsTests {
  static func split(_ line: String) throws(InputError) -> [String] {
    let bytes = Array(line.utf8)
    var fields = CSVFields()
    try fields.split(bytes.span)
    return fields.texts(of: bytes.span)
  }

  @Test(
    arguments: [
      ("", [""]), ("a", ["a"]), ("a,b,", ["a", "b", ""]), (",,", ["", "", ""]),
      ("\"a,b\",c", ["a,b", "c"]), ("\"say \"\"hi\"\"\"", ["say \"hi\""]), ("\"\",x", ["", "x"]),
      ("a\"b,c", ["a\"b", "c"]), ("\"a\",", ["a", ""]),
    ] as [(String, [String])])
  func `fields are split as in RFC 4180`(_ line: String, _ fields: [String]) throws {
    #expect(try Self.split(line) == fields)
  }

  @Test(arguments: ["\"a", "\"a\"b", String(repeating: ",", count: CSVFields.maxFields)])
  func `broken quotes and endless fields are errors`(_ line: String) {
    #expect(throws: InputError.self) { try Self.split(line) }
  }

  @Test func `a line may have as many fields as are allowed`() throws {
    let fields = try Self.split(String(repeating: ",", count: CSVFields.maxFields - 1))
    #expect(fields == Array(repeating: "", count: CSVFields.maxFields))
  }

  /// Fields are found eight bytes at a time; here byte by byte.
  @Test func `fields of any length at any place are split as one byte after another`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let count = Int.random(in: 0...60, using: &random)
      let line = String(
        (0..<count).map { _ in ",,ab\u{AC},\u{E9}-".randomElement(using: &random) ?? "," })
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      #expect(try Self.split(line) == fields)
    }
  }
}
