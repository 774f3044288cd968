import FrameBudgetParsing
import Testing

/// JSON in pieces is read like JSON in one piece, wherever pieces end.
struct StreamedJSONTests {
  /// More than two pieces, with tokens of all kinds at their ends.
  static let text: String = {
    let row = #"{"key": "vålue \u00e9\\ \"x\"", "number": -12.75e1, "list": [true, null, "#
    return "[" + (0..<9000).map { "\(row)\"\($0)\"]}" }.joined(separator: ",\n") + "]"
  }()

  /// The sum and the content of all rows.
  static func sum(
    _ reader: inout JSONReader
  ) throws(InputError) -> (rows: Int, numbers: Int64, text: String) {
    var sum: (rows: Int, numbers: Int64, text: String) = (0, 0, "")
    let keys = JSONKeys(["number", "key"])
    try reader.array { (reader) throws(InputError) in
      sum.rows += 1
      try reader.members(keys) { (reader, key) throws(InputError) in
        switch key {
        case 0: sum.numbers += try reader.fixedPoint(places: 2).value ?? 0
        case 1: sum.text = try reader.string()
        default: try reader.skip()
        }
      }
    }
    try reader.end()
    return sum
  }

  @Test(arguments: [0, 1, 2, 3, 5, 8, 13, 21, 34, 55])
  func `pieces may end anywhere`(_ shift: Int) throws {
    let bytes = Array((String(repeating: " ", count: shift) + Self.text).utf8)
    #expect(bytes.count > 2 << 18)
    var whole = JSONReader(bytes)
    var streamed = try JSONReader(ByteSource(bytes, name: "text"))
    let (expected, found) = (try Self.sum(&whole), try Self.sum(&streamed))
    #expect(expected == found)
    #expect(found.rows == 9000)
    #expect(found.numbers == 9000 * -12_750)
    #expect(found.text == "vålue é\\ \"x\"")
  }

  @Test func `an error far behind the first piece has its place`() throws {
    let bytes = Array(Self.text.utf8.dropLast()) + Array(",\n  oops]".utf8)
    #expect {
      var reader = try JSONReader(ByteSource(bytes, name: "text"))
      _ = try Self.sum(&reader)
    } throws: { error in
      let error = error as? InputError
      return error?.line == 9001 && error?.column == 3
    }
  }

  @Test func `a string longer than a piece is read whole`() throws {
    let long = String(repeating: "abc\\n", count: 200_000)
    var reader = try JSONReader(ByteSource(Array("[1, \"\(long)\"]".utf8), name: "text"))
    var length = 0
    try reader.array { (reader) throws(InputError) in
      if try reader.kind() == .string {
        length = try reader.string().utf8.count
      } else {
        try reader.skip()
      }
    }
    #expect(length == 800_000)
  }

  @Test func `names are stored once, however they are escaped`() throws {
    var names = InternedNames()
    var reader = JSONReader(Array(#"["a", "b\u0062", "bb", "a", ""]"#.utf8))
    var numbers: [Int] = []
    try reader.array { (reader) throws(InputError) in
      numbers.append(try reader.string(in: &names))
    }
    #expect(numbers == [0, 1, 1, 0, 2])
    #expect(names.names == ["a", "bb", ""])
    for count in 0..<5000 { #expect(names.intern("name \(count)") == count + 3) }
    #expect(names.intern("name 17") == 20)
  }

  @Test func `keys are compared by all of their bytes`() throws {
    let long = "chrome_frame_reporter"
    let keys = JSONKeys(["a", "abcdefgh", "abcdefghi", long])
    let text = """
      {"a": 0, "abcdefgh": 1, "abcdefghi": 2, "\(long)": 3, "b": -1, "abcdefghj": -1, "": -1,
      "\(long.dropLast())s": -1, "abcdefghijklmnopqrstuvwxyz": -1, "\\u0061": 0}
      """
    var reader = JSONReader(Array(text.utf8))
    try reader.members(keys) { (reader, key) throws(InputError) in
      let expected = try reader.fixedPoint(places: 0).value
      #expect(key.map(Int64.init) ?? -1 == expected)
    }
  }
}
