import FrameBudgetParsing
import Testing

struct WireTests {
  /// The fields of a message as lines.
  static func fields(_ bytes: [UInt8]) throws(InputError) -> [String] {
    var lines: [String] = []
    try Wire.forEachField(of: bytes.span, in: 0..<bytes.count) { (field, value) in
      lines.append(value.bytes.map { "\(field): \($0)" } ?? "\(field) = \(value.number)")
    }
    return lines
  }

  @Test func `fields are numbers of several kinds, or bytes`() throws {
    let bytes: [UInt8] = [
      0x08, 0x96, 0x01, 0x12, 0x02, 0x61, 0x62, 0x1D, 1, 0, 0, 0, 0x21, 2, 0, 0, 0, 0, 0, 0, 0x80,
    ]
    #expect(
      try Self.fields(bytes) == ["1 = 150", "2: 5..<7", "3 = 1", "4 = 9223372036854775810"])
  }

  @Test(arguments: [
    [0x08], [0x08, 0x80], [0x12, 0x05, 0x61], [0x1D, 1, 2], [0x0B], [0x00, 0x00],
    [0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
    [0x12, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
  ])
  func `a message that ends within a field is an error`(_ bytes: [UInt8]) {
    #expect {
      try Self.fields(bytes)
    } throws: { "\($0)".contains("at byte") }
  }

  @Test func `a file's messages are read one by one, and others are skipped`() throws {
    let long = [UInt8](repeating: 0x08, count: 600_000)
    // 600 000 in seven bits to a byte.
    let length: [UInt8] = [0xC0, 0xCF, 0x24]
    let bytes: [UInt8] =
      [0x0A, 0x01, 0x07, 0x12, 0x02, 0x01, 0x02, 0x0A] + length + long + [0x0A, 0]
    var found: [String] = []
    var records = WireRecords(ByteSource(bytes, name: "file"))
    try records.forEach(field: 1) { (message, place) in found.append("\(place): \(message.count)") }
    #expect(found == ["2: 1", "11: 600000", "600013: 0"])
  }

  @Test func `a message that is cut off is an error with its place`() {
    let bytes: [UInt8] = [0x0A, 0x01, 0x07, 0x0A, 0x05, 0x01]
    #expect {
      var records = WireRecords(ByteSource(bytes, name: "file"))
      try records.forEach(field: 1) { _, _ in }
    } throws: { "\($0)".contains("is cut off: a message has 1 of 5 bytes, at byte 5") }
  }
}
