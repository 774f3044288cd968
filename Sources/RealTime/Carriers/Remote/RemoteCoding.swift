internal import Foundation

/// How calls and answers are written where they cross a border: as JSON.
enum RemoteCoding {
  private static let encoder = JSONEncoder()
  private static let decoder = JSONDecoder()

  static func encoded(_ value: some Encodable) -> Data {
    do {
      return try encoder.encode(value)
    } catch {
      preconditionFailure("texts and whole numbers can be written as JSON")
    }
  }

  /// Nil for what is no `Value`.
  static func decoded<Value: Decodable>(_ data: Data, as type: Value.Type) -> Value? {
    try? decoder.decode(type, from: data)
  }
}
