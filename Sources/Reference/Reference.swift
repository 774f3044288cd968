internal import Foundation

/// What `make results` runs: rewrites what is generated in the project's folder.
@main
struct Reference {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first, arguments.count == 1 else {
      print("usage: Reference FOLDER")
      exit(64)
    }
    for file in try GeneratedFiles(URL(filePath: path)).all {
      let isStale = (try? Data(contentsOf: file.url)) != Data(file.text.utf8)
      if isStale { try Data(file.text.utf8).write(to: file.url, options: .atomic) }
      print("\(file.url.relativePath): \(isStale ? "rewritten" : "as it was")")
    }
  }
}
