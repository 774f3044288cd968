import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import Testing

/// Reads `text` as a log.
func log(_ text: String, hz: Int64? = nil) throws(InputError) -> ImportedLog {
  try ImportedLog(ByteSource(Array(text.utf8), name: "log"), refresh: hz.map { RefreshRate($0) })
}

/// The error of reading `bytes`.
func failure(_ bytes: [UInt8]) -> String? {
  do {
    _ = try ImportedLog(ByteSource(bytes, name: "log"), refresh: RefreshRate(60))
    return nil
  } catch {
    return error.description
  }
}

extension ImportedFrames {
  func count(_ metric: String) -> Int? {
    if case .count(let count) = values[metric] { return count }
    return nil
  }
}
