internal import Foundation
internal import FrameBudget

/// The file of a recording, which is complete after each write: each write ends with what is true for now and the end of the
/// JSON text, and the next one overwrites that. If the process is killed, the file has everything written so far.
struct TraceOutput: Sendable {
  private let file: FileHandle
  private let path: String
  /// The offset of what the next write overwrites, and the end of the file.
  private var end: UInt64 = 0
  private var size: UInt64 = 0
  private var isEmpty = true
  private var text = ""
  /// The events that the next write replaces, and when they were added.
  private var forNow = ""
  private var added: Int64?

  private static let piece = 1 << 15
  /// What is true for now becomes longer during a hang: a byte is written again after this time, in nanoseconds.
  private static let pausePerByte: Int64 = 1000

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
    text += separator + event.line
    isEmpty = false
    if text.utf8.count > Self.piece { try flush() }
  }

  /// Adds an event that holds until the next write, behind those of `add`. `now` is the same for all of a write.
  mutating func addForNow(_ event: TraceEvent, at now: Int64) {
    forNow += separator + event.line
    added = now
  }

  private var separator: String { isEmpty ? TraceEvent.head : TraceEvent.separator }

  /// Whether it is time to write again what is true for now.
  func isOld(at now: Int64) -> Bool {
    guard let added else { return true }
    return now - added >= Int64(size - end) * Self.pausePerByte
  }

  /// Writes the buffer in one call, so that the file never ends inside an event.
  mutating func flush() throws(FrameRecorderError) {
    guard !text.isEmpty || !forNow.isEmpty else { return }
    var bytes = Data((text + forNow + TraceEvent.tail).utf8)
    let newSize = end + UInt64(bytes.count)
    // Spaces cover the rest of what the write before has left, until it is cut off: the file is complete at any time.
    let rest = size - min(size, newSize)
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: Int(rest)))
    do {
      try file.seek(toOffset: end)
      try file.write(contentsOf: bytes)
      if rest > 0 { try file.truncate(atOffset: newSize) }
    } catch {
      throw .file(path, problem: "\(error)")
    }
    size = newSize
    end += UInt64(text.utf8.count)
    text.removeAll(keepingCapacity: true)
    forNow.removeAll(keepingCapacity: true)
  }

  func close() throws(FrameRecorderError) {
    do { try file.close() } catch { throw .file(path, problem: "\(error)") }
  }
}
