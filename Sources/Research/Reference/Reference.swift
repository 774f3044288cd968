internal import Foundation

/// Runs `make results`: rewrites the generated files in the project's folder.
@main
struct Reference {
  static func main() {
    do {
      try write(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("Reference: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func write(_ arguments: [String]) throws {
    let project = URL(filePath: arguments.first ?? "")
    switch arguments.count {
    case 1:
      for file in try GeneratedFiles(project).all { try rewrite(file) }
    case 2 where arguments[1] == "measurements":
      for file in try GeneratedFiles.measurements(project) { try rewrite(file) }
    // Takes thousands of runs, so only on request.
    case 2 where arguments[1] == "advice": try rewrite(GeneratedFiles.advice(project))
    case 2 where arguments[1] == "gates": try rewrite(GeneratedFiles.gates(project))
    case 2 where arguments[1] == "proofs": try rewrite(GeneratedFiles.proofs(project))
    case 2 where arguments[1] == "learned":
      for file in try GeneratedFiles.closedLoop(project) { try rewrite(file) }
    case 3 where arguments[1] == "recordings":
      try rewrite(GeneratedFiles.recordings(project, in: URL(filePath: arguments[2])))
    case 3 where arguments[1] == "browser":
      try PageResults(project, URL(filePath: arguments[2])).write()
    default:
      let kinds =
        "measurements | advice | gates | proofs | learned | recordings FOLDER | browser FOLDER"
      print("usage: Reference FOLDER [\(kinds)]")
      exit(64)
    }
  }

  private static func rewrite(_ file: GeneratedFile) throws {
    let isStale = (try? Data(contentsOf: file.url)) != Data(file.text.utf8)
    if isStale { try Data(file.text.utf8).write(to: file.url, options: .atomic) }
    print("\(file.url.relativePath): \(isStale ? "rewritten" : "unchanged")")
  }
}
