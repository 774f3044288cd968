internal import Foundation

/// How records become the text that a persister keeps.
public struct JobSerializer: Sendable {
  /// Text on one line or several, from which `decode` makes the same record.
  public let encode: @Sendable (JobRecord) throws -> String
  /// The record of such a text; throws where it is none.
  public let decode: @Sendable (String) throws -> JobRecord

  /// - Parameters:
  ///   - encode: makes text of a record.
  ///   - decode: makes a record of such a text, or throws.
  public init(
    encode: @escaping @Sendable (JobRecord) throws -> String,
    decode: @escaping @Sendable (String) throws -> JobRecord
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// JSON, an object for each job.
  public static let json = JobSerializer(
    encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
    decode: { try JSONDecoder().decode(JobRecord.self, from: Data($0.utf8)) })
}
