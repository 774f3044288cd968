internal import Foundation

/// What `make results` runs: rewrites what is generated in the project's folder.
@main
struct Reference {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let path = arguments.first, arguments.dropFirst().allSatisfy({ $0 == "advice" }) else {
      print("usage: Reference FOLDER [advice]")
      exit(64)
    }
    let project = URL(filePath: path)
    // Thousands of runs: only where they are asked for.
    guard arguments.count == 1 else { return try rewrite(GeneratedFiles.advice(project)) }
    for file in try GeneratedFiles(project).all { try rewrite(file) }
  }

  private static func rewrite(_ file: (url: URL, text: String)) throws {
    let isStale = (try? Data(contentsOf: file.url)) != Data(file.text.utf8)
    if isStale { try Data(file.text.utf8).write(to: file.url, options: .atomic) }
    print("\(file.url.relativePath): \(isStale ? "rewritten" : "as it was")")
  }
}
