internal import FrameBudget
internal import Glibc
internal import Scenarios
internal import ShippedScenarios

/// The text of a scenario and the name that errors give it: a file's, standard input's, or one of those
/// that come with the tool.
struct ScenarioSource {
  let name: String
  private let bytes: [UInt8]

  /// Reads what SCENARIO says: `-`, the name of a shipped scenario, or a path.
  init(_ argument: String, on console: Console) throws(ToolError) {
    if argument == "-" {
      name = "standard input"
      bytes = try Self.read(console.input, name)
    } else if let shipped = ShippedScenarios.scenario(argument) {
      name = shipped.file
      bytes = shipped.bytes
    } else {
      name = argument
      bytes = try Self.read(argument)
    }
  }

  /// The scenario with `overrides` in place of what it says.
  func scenario(_ overrides: [Override] = []) throws(ToolError) -> Scenario {
    do {
      return try ScenarioFile.parse(
        bytes, file: name, overrides: overrides, recording: recording)
    } catch {
      throw ToolError(error)
    }
  }

  private static func read(_ path: String) throws(ToolError) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(path, .last) }
    defer { close(file) }
    return try read(file, path)
  }

  /// Reads one byte more than allowed at most: the parser then says that it is too large.
  private static func read(_ file: Int32, _ name: String) throws(ToolError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= Limits.fileBytes {
      let count = unsafe block.withUnsafeMutableBytes { block in
        unsafe Glibc.read(file, block.baseAddress, block.count)
      }
      if count == 0 { break }
      if count > 0 {
        bytes += block[..<count]
      } else if errno != EINTR {
        throw failure(name, .last)
      }
    }
    return bytes
  }

  private static func failure(_ name: String, _ error: SystemError) -> ToolError {
    var message = "cannot open \(name): \(error)"
    let names = ShippedScenarios.all.map(\.name)
    if error.number == ENOENT && !name.contains("/") && !name.hasSuffix(".yaml") {
      message += Spelling.suggestion(for: name, among: names)
    }
    return ToolError(.noInput, message)
  }
}

extension ToolError {
  /// A mistake in a file is bad input; one in a flag is wrong usage.
  init(_ error: ScenarioError) {
    switch error.place {
    case .file: self.init(.badInput, error.description)
    case .flag: self.init(.usage, error.description)
    }
  }
}
