internal import FrameBudget
internal import FrameBudgetParsing

extension JSON {
  /// The next value of `reader`.
  init(_ reader: inout JSONReader) throws(InputError) {
    switch try reader.kind() {
    case .object:
      var members: [(name: String, value: JSON)] = []
      try reader.object { reader, name throws(InputError) in
        members.append((name, try JSON(&reader)))
      }
      self = .object(members)
    case .array: self = .array(try reader.elements(JSON.init))
    case .string: self = .text(try reader.string())
    case .number: self = .number(try reader.numberText())
    case .boolean: self = .flag(try reader.boolean())
    case .null:
      try reader.skip()
      self = .null
    }
  }

  /// Parses a whole text.
  init(parsing bytes: [UInt8]) throws(InputError) {
    var reader = JSONReader(bytes)
    self = try JSON(&reader)
    try reader.end()
  }

  /// The value of a member; null if it is missing.
  subscript(_ name: String) -> JSON {
    guard case .object(let members) = self else { return .null }
    return members.last { $0.name == name }?.value ?? .null
  }

  var isNull: Bool { if case .null = self { true } else { false } }
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  var real: Double? {
    if case .number(let number) = self { InputNumber.real(number) } else { nil }
  }
  var whole: Int? {
    if case .number(let number) = self { InputNumber.whole(number) } else { nil }
  }
}
