internal import Scenarios

extension Comparison.Request {
  /// Takes in what the flags say that `run` and `limit` share.
  mutating func take(
    strategies: [String], settings: [String], cores: Int?, costsFile: String?
  ) throws(ToolError) {
    self.strategies = strategies.isEmpty ? nil : strategies.joined(separator: ",")
    self.cores = cores
    do {
      for text in settings { set.append(try Override(parsing: text)) }
    } catch {
      throw ToolError(error)
    }
    if let costsFile { try assume(costsFile) }
  }

  private mutating func assume(_ file: String) throws(ToolError) {
    let bytes: [UInt8]
    do {
      bytes = try InputBytes.read(file)
    } catch {
      throw ToolError(.noInput, "cannot open \(file): \(error)")
    }
    do {
      costs = try CostsFile.parse(bytes, file: file)
    } catch {
      throw ToolError(error)
    }
    costsFile = file
  }
}
