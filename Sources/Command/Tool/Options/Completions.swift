internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetScenarios

/// What shells propose for arguments. The program makes the lists when a shell asks for them, not at each start.
extension CompletionKind {
  /// Paths, and the names of shipped scenarios.
  static let scenario = custom { _, _, word in
    ShippedScenarios.all.map(\.name) + paths(word)
  }
  static let shipped = custom { _, _, _ in ShippedScenarios.all.map(\.name) }

  static let strategies = elements { StrategyCatalog.all.map(\.name) + ["all"] }
  static let carriers = elements { CarrierKind.allCases.map(\.rawValue) }
  static let metrics = elements { MetricCatalog.compared.map(\.name) }

  /// The elements of a list with commas: what is before the last comma stays.
  private static func elements(_ names: @escaping @Sendable () -> [String]) -> CompletionKind {
    custom { _, _, word in
      let known = word.lastIndex(of: ",").map { word[...$0] } ?? ""
      return names().map { known + $0 }
    }
  }

  /// The files and folders that begin with `word`. A folder that is the only one has its files instead, because some shells
  /// put a space behind the only proposal.
  private static func paths(_ word: String) -> [String] {
    let folder = FilePath.folder(of: word)
    let found = StagedOutput.names(in: folder)
      .map { folder + $0 }.filter { $0.hasPrefix(word) }
      .filter { word.hasPrefix(folder + ".") || !$0.hasPrefix(folder + ".") }.sorted()
    let paths = found.map { OutputFiles.isFolder($0) ? $0 + "/" : $0 }
    guard let only = paths.first, paths.count == 1, only.hasSuffix("/") else { return paths }
    let inside = StagedOutput.names(in: only).filter { !$0.hasPrefix(".") }.sorted()
    return inside.isEmpty ? paths : inside.map { only + $0 }
  }
}
