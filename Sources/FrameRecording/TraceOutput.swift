internal import Foundation
internal import FrameBudget

/// The file of a recording, which is whole after each write: the events, and what ends them, which the next events take the
/// place of. Whoever ends the process leaves what was written until then.
struct TraceOutput: Sendable {
  private let file: FileHandle
  private let path: String
  /// Where what ends the file begins.
  private var end: UInt64 = 0
  private var isEmpty = true
  private var text = ""

  private static let piece = 1 << 15

  /// Makes the file at `path`, where there must be none.
  init(creating path: String) throws(FrameRecorderError) {
    self.path = path
    do {
      try Data().write(to: URL(filePath: path), options: .withoutOverwriting)
      file = try FileHandle(forWritingTo: URL(filePath: path))
    } catch {
      throw .file(path, problem: "\(error)")
    }
  }

  /// Adds an event to what is written once it is some pages long.
  mutating func add(_ event: TraceEvent) throws(FrameRecorderError) {
    text += (isEmpty ? TraceEvent.head : TraceEvent.separator) + event.line
    isEmpty = false
    if text.utf8.count > Self.piece { try flush() }
  }

  /// Writes what was added, in one piece, so that the file ends nowhere in between.
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
