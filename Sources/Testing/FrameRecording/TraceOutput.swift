internal import Foundation
internal import FrameBudget

/// The file of a recording, which is complete after each write: each write ends with the end of the JSON text, and the next
/// one overwrites that. If the process is killed, the file has everything written so far.
struct TraceOutput: Sendable {
  private let file: FileHandle
  private let path: String
  /// The offset of the end of the JSON text.
  private var end: UInt64 = 0
  private var isEmpty = true
  private var text = ""

  private static let piece = 1 << 15

  /// Creates the file at `path`, which must not exist.
  init(creating path: String) throws(FrameRecorderError) {
    self.path = path
    do {
      try Data().write(to: URL(filePath: path), options: .withoutOverwriting)
      file = try FileHandle(forWritingTo: URL(filePath: path))
    } catch {
      throw .file(path, problem: "\(error)")
    }
  }

  /// Adds an event to the buffer, which is written once it is some pages long.
  mutating func add(_ event: TraceEvent) throws(FrameRecorderError) {
    text += (isEmpty ? TraceEvent.head : TraceEvent.separator) + event.line
    isEmpty = false
    if text.utf8.count > Self.piece { try flush() }
  }

  /// Writes the buffer in one call, so that the file never ends inside an event.
  mutating func flush() throws(FrameRecorderError) {
    guard !text.isEmpty else { return }
    do {
      try file.seek(toOffset: end)
      try file.write(contentsOf: Data((text + TraceEvent.tail).utf8))
    } catch {
      throw .file(path, problem: "\(error)")
    }
    end += UInt64(text.utf8.count)
    text.removeAll(keepingCapacity: true)
  }

  func close() throws(FrameRecorderError) {
    do { try file.close() } catch { throw .file(path, problem: "\(error)") }
  }
}
