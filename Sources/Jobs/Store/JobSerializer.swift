internal import Foundation

/// Converts records to the text that a persister keeps, and back.
public struct JobSerializer: Sendable {
  /// Encodes a record as text of one or several lines, which `decode` turns into the same record.
  public let encode: @Sendable (JobRecord) throws -> String
  /// Decodes such a text; throws if it is invalid.
  public let decode: @Sendable (String) throws -> JobRecord

  /// - Parameters:
  ///   - encode: converts a record to text.
  ///   - decode: converts such a text to a record, or throws.
  public init(
    encode: @escaping @Sendable (JobRecord) throws -> String,
    decode: @escaping @Sendable (String) throws -> JobRecord
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// JSON, with one object for each job.
  public static let json = JobSerializer(
    encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
    decode: { try JSONDecoder().decode(JobRecord.self, from: Data($0.utf8)) })
}
