internal import FrameBudget
internal import Scenarios

extension Comparison.Request {
  /// What the flags ask for.
  init(_ subject: SubjectOptions, engines: [EngineKind]) throws(ToolError) {
    self.engines = engines
    strategies = subject.strategy.isEmpty ? nil : subject.strategy.joined(separator: ",")
    cores = subject.cores
    do {
      for text in subject.settings { set.append(try Override(parsing: text)) }
    } catch {
      throw ToolError(error)
    }
    if let costs = subject.costs { try assume(costs) }
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
