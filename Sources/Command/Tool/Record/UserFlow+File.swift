internal import FrameBudgetParsing
internal import FrameBudgetScenarios

extension UserFlow {
  /// - Throws: `.noInput` if the file cannot be opened, `.badInput` with the step that cannot be replayed.
  init(_ path: String) throws(ToolError) {
    let bytes: [UInt8]
    do {
      bytes = try InputBytes.read(path)
    } catch {
      throw ToolError(.noInput, "cannot open \(path): \(error)")
    }
    guard bytes.count <= Limits.fileBytes else {
      throw ToolError(
        .badInput, "\(path): is too large for a flow; allowed: \(Limits.fileBytes) bytes")
    }
    do {
      try self.init(parsing: bytes)
    } catch {
      throw ToolError(error.of(path))
    }
  }
}
