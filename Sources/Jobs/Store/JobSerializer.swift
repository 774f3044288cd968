internal import Foundation

/// How records become the text that a persister keeps.
public struct JobSerializer: Sendable {
  public let encode: @Sendable (JobRecord) throws -> String
  public let decode: @Sendable (String) throws -> JobRecord

  public init(
    encode: @escaping @Sendable (JobRecord) throws -> String,
    decode: @escaping @Sendable (String) throws -> JobRecord
  ) {
    self.encode = encode
    self.decode = decode
  }

  public static let json = JobSerializer(
    encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
    decode: { try JSONDecoder().decode(JobRecord.self, from: Data($0.utf8)) })
}
