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
      try reader.beginObject()
      while let key = try reader.nextMember(of: keys) {
        switch key {
        case 0: sum.numbers += try reader.fixedPoint(places: 2).value ?? 0
        default: sum.text = try reader.string()
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

  /// More ends of lines in a piece than a byte counts in any column.
  @Test func `an error behind very many short lines has its place`() throws {
    for lines in [8191, 8192, 70_000, 1 << 18, 300_001] {
      let bytes = Array((String(repeating: "\n", count: lines) + "  oops").utf8)
      for isStreamed in [false, true] {
        var reader =
          isStreamed ? try JSONReader(ByteSource(bytes, name: "text")) : JSONReader(bytes)
        var found: InputError?
        do throws(InputError) { try reader.skip() } catch { found = error }
        #expect(found?.line == lines + 1 && found?.column == 3)
      }
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

  @Test func `names are compared by all of their bytes`() {
    var names = InternedNames()
    var expected: [String] = []
    for length in 0..<30 {
      let name = String(repeating: "a", count: length)
      expected.append(name)
      for place in 0..<length {
        expected.append("\(name.prefix(place))b\(name.dropFirst(place + 1))")
      }
    }
    for _ in 0..<2 {
      for (number, name) in expected.enumerated() { #expect(names.intern(name) == number) }
    }
    #expect(names.names == expected)
  }

  @Test func `keys are compared by all of their bytes`() throws {
    let long = "chrome_frame_reporter"
    let keys = JSONKeys(["a", "abcdefgh", "abcdefghi", long])
    let text = """
      {"a": 0, "abcdefgh": 1, "abcdefghi": 2, "\(long)": 3, "b": -1, "abcdefghj": -1, "": -1,
      "\(long.dropLast())s": -1, "abcdefghijklmnopqrstuvwxyz": -1, "\\u0061": 0}
      """
    var reader = JSONReader(Array(text.utf8))
    var found: [Int] = []
    try reader.beginObject()
    while let key = try reader.nextMember(of: keys) {
      #expect(try reader.fixedPoint(places: 0).value == Int64(key))
      found.append(key)
    }
    #expect(found == [0, 1, 2, 3, 0])
    try reader.end()
  }
}
