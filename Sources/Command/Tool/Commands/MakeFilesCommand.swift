internal import ArgumentParser
internal import FrameBudget

/// Creates a folder of files for scenarios whose steps work on real files.
struct MakeFilesCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "make-files",
    abstract: "Create a folder of files for scenarios with real work, such as import-folder.",
    discussion: """
      The files have random bytes, like photos, and the same ones each time. The folder must not exist; it appears complete \
      or not at all.

      EXAMPLES:
        framebudget make-files photos && framebudget run import-folder
        framebudget make-files thumbnails --count 2000 --size "20 kB"
      """)

  @Argument(help: "The folder.", completion: .directory)
  var folder: String

  @Option(parsing: .unconditional, help: "The number of files.", transform: WholeNumber.files)
  var count = 100

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The size of each file, such as '1 MB'.", valueName: "size"))
  var size = "1 MB"

  private static let maxBytes = 10_000_000_000

  func validate() throws {
    let bytes = try bytes()
    guard bytes <= Self.maxBytes / count else {
      throw ValidationError("\(count) files of \(size) are too much; allowed: 10 GB in all")
    }
  }

  private func bytes() throws -> Int {
    do {
      return try Quantity.bytes(size)
    } catch {
      throw ValidationError("--size: '\(size)' \(error.reason)")
    }
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    guard let bytes = try? bytes() else { preconditionFailure("was validated") }
    let folder = try NewFolder(folder, on: console)
    for number in 1...count {
      try folder.write(Self.content(number, bytes), to: Self.name(number))
    }
    try folder.commit()
    return .success
  }

  private static func name(_ number: Int) -> String {
    let digits = String(number)
    return "photo-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".jpeg"
  }

  /// Random bytes, which do not compress, like those of a photo.
  private static func content(_ number: Int, _ count: Int) -> [UInt8] {
    var stream = RandomStream(seed: 1, name: "files", index: number)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      unsafe withUnsafeBytes(of: stream.next().littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
