/// A value that SQLite stores.
public enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  public var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  public var blob: [UInt8]? {
    if case .blob(let value) = self { value } else { nil }
  }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .text(value) }
}
