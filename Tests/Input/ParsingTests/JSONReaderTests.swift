import FrameBudgetParsing
import Testing

struct JSONReaderTests {
  static func string(_ text: String) throws(InputError) -> String {
    var reader = JSONReader(Array(text.utf8))
    let string = try reader.string()
    try reader.end()
    return string
  }

  static func skip(_ text: String) throws(InputError) {
    var reader = JSONReader(Array(text.utf8))
    try reader.skip()
    try reader.end()
  }

  @Test(arguments: [
    (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9""#, "é"),
    (#""\ud83d\ude00""#, "😀"), (#""""#, ""),
  ])
  func `strings are unescaped`(_ text: String, _ string: String) throws {
    #expect(try Self.string(text) == string)
  }

  @Test(arguments: [
    #""\ud83d""#, #""\ude00x""#, #""\x""#, #""a"#, "\"a\nb\"", #""\u12g4""#, #""\"#,
    #""\ud83d\u0041""#,
  ])
  func `broken strings are errors`(_ text: String) {
    #expect(throws: InputError.self) { try Self.string(text) }
  }

  @Test func `a special byte is found at any place of a string`() throws {
    for length in 0..<20 {
      for place in 0...length {
        let before = String(repeating: "a", count: place)
        let behind = String(repeating: "~", count: length - place)
        #expect(try Self.string("\"\(before)\\n\(behind)\"") == "\(before)\n\(behind)")
        #expect(try Self.string("\"\(before)é\(behind)\"") == "\(before)é\(behind)")
        for byte in ["\u{1}", "\n", "\u{1F}"] {
          #expect(throws: InputError.self) { try Self.string("\"\(before)\(byte)\(behind)\"") }
        }
        var reader = JSONReader(Array("[\"\(before)\", \"\(behind)\"]".utf8))
        var strings: [String] = []
        try reader.array { (reader) throws(InputError) in strings.append(try reader.string()) }
        #expect(strings == [before, behind])
      }
    }
  }

  @Test func `an error gives its line and column after any number of bytes`() {
    for lines in 0..<12 {
      for columns in 0..<12 {
        let text =
          "[" + String(repeating: "\n", count: lines) + String(repeating: " ", count: columns)
        let error = #expect(throws: InputError.self) { try Self.skip(text + "?") }
        #expect(error?.line == lines + 1)
        #expect(error?.column == columns + (lines == 0 ? 2 : 1))
      }
    }
  }

  @Test(arguments: [
    "{}", "[]", " [1, -2.5e3, true, false, null, \"x\", {\"a\": [{}]}] ", "1", "\u{FEFF}{\"a\": 1}",
  ])
  func `any value can be skipped`(_ text: String) throws { try Self.skip(text) }

  @Test(arguments: ["", "{", "[1,]", "{\"a\"}", "{\"a\": 1,}", "[1 2]", "tru", "{} {}", "{a: 1}"])
  func `broken values are errors with a place`(_ text: String) {
    #expect {
      try Self.skip(text)
    } throws: { ($0 as? InputError)?.line == 1 }
  }

  @Test func `members of an object are read by key`() throws {
    var reader = JSONReader(Array(#"{"skip": [1], "hz": 59.94, "on": true, "none": null}"#.utf8))
    var seen: [String] = []
    try reader.object { (reader, key) throws(InputError) in
      switch key {
      case "hz": seen.append("\(try reader.number())")
      case "on": seen.append("\(try reader.boolean())")
      case "none": seen.append("\(try reader.fixedPoint(places: 3))")
      default: try reader.skip()
      }
    }
    #expect(seen == ["59.94", "true", "missing"])
  }

  /// The fast way for short numbers has the results of the general one, and of reading them as text.
  @Test func `a number of any length is the same in every text around it`() throws {
    for length in 1...22 {
      for (before, behind) in [
        ("", ""), ("-", ""), ("", ".25"), ("-", "e1"), ("000", ""), ("", "-"),
      ] {
        let digits = (0..<length).map { _ in "\(Int.random(in: 0...9))" }.joined()
        let text = Array("\(before)\(digits)\(behind)".utf8)
        for places in [0, 3, 6, 9] {
          let expected = FixedPoint.parse(text.span, 0..<text.count, places: places)
          for tail in ["]", " ]", ",\"a longer string\"]"] {
            var reader = JSONReader(Array("[".utf8) + text + Array(tail.utf8))
            try reader.beginArray()
            #expect(try reader.nextElement())
            let found = try reader.fixedPoint(places: places)
            #expect(found == expected, "\(String(decoding: text, as: UTF8.self)) \(places)")
            if try reader.nextElement() {
              #expect(try reader.string() == "a longer string")
              #expect(try !reader.nextElement())
            }
            try reader.end()
          }
        }
      }
    }
  }

  @Test func `white space of any kind and length separates`() throws {
    for length in 0..<40 {
      let space = (0..<length).map { _ in [" ", " ", " ", "\n", "\t", "\r"].randomElement() ?? "" }
        .joined()
      let text = "{,1,:,[,2,],}".replacing("1", with: "\"a\"").replacing(",", with: space)
      var reader = JSONReader(Array(text.utf8))
      try reader.beginObject()
      #expect(try reader.nextMember(of: JSONKeys(["a"])) == 0)
      #expect(try reader.elements { (reader) throws(InputError) in try reader.number() } == [2])
      #expect(try reader.nextMember(of: JSONKeys(["a"])) == nil)
      try reader.end()
      try Self.skip(text)
    }
  }

  @Test(arguments: [
    "{,\"a\": 1}", "{\"a\": 1,}", "{\"a\": 1 \"a\": 2}", "{\"a\" 1}", "{\"b\": }", "{\"b\": [1}",
    "{1: 2}", "{\"a\": 1",
    "{\"b\": 1]",
  ])
  func `an object with an error has it wherever its members are passed`(_ text: String) {
    func failure(_ body: (inout JSONReader) throws(InputError) -> Void) -> String {
      var reader = JSONReader(Array(text.utf8))
      do throws(InputError) {
        try body(&reader)
        return "none"
      } catch {
        return error.description
      }
    }
    let passed = failure { (reader) throws(InputError) in
      try reader.beginObject()
      while try reader.nextMember(of: JSONKeys(["a"])) != nil {
        _ = try reader.fixedPoint(places: 0)
      }
    }
    let read = failure { (reader) throws(InputError) in
      try reader.object { (reader, _) throws(InputError) in try reader.skip() }
    }
    #expect(passed == read && passed != "none")
  }
}
