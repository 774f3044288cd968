internal import FrameBudget
internal import Glibc

/// The output of a process that a guard has started: its beginning in a file, if wanted, and its last part in memory.
///
/// However much the process prints, the file has at most `fileLimit` bytes and a last part, and memory holds `tailLimit`.
struct ChildOutput {
  /// The end of the pipe for the process; closed once the process is started.
  let end: Int32
  /// The end from which this process reads; -1 after the end of the output.
  private(set) var input: Int32
  private let file: Int32?
  private let fileLimit: Int
  private var written = 0
  /// The bytes after those in the file.
  private var omitted = 0
  private var tail: [UInt8] = []

  private static let tailLimit = 64 << 10

  /// Nil if the system has no more pipes. Bytes beyond `fileLimit` are left out of `file`, except the last ones.
  init?(to file: Int32? = nil, fileLimit: Int = 0) {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return nil }
    (input, end) = (ends[0], ends[1])
    (self.file, self.fileLimit) = (file, fileLimit)
    // `end` blocks, as a process expects of its output.
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
  }

  /// The output goes to another file as it is, and nothing of it is kept.
  init(passedTo other: Int32) { (end, input, file, fileLimit) = (dup(other), -1, nil, 0) }

  /// Reads what has arrived, at most a few pieces, so that an endless output does not hold up the caller.
  mutating func read() {
    var bytes = [UInt8](repeating: 0, count: Self.tailLimit)
    for _ in 0..<16 where input >= 0 {
      let count = unsafe Glibc.read(input, &bytes, bytes.count)
      if count > 0 {
        keep(bytes[..<count])
      } else if count == 0 || errno != EAGAIN && errno != EINTR {
        close(input)
        input = -1
      } else {
        return
      }
    }
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    let kept = bytes.prefix(fileLimit - written)
    if let file, !kept.isEmpty { _ = FileWriting.write(Array(kept), to: file) }
    written += kept.count
    omitted += bytes.count - kept.count
    tail.append(contentsOf: bytes)
    tail.removeFirst(max(0, tail.count - Self.tailLimit))
  }

  /// Completes the file: says how much is left out, and adds the last part.
  mutating func finish() {
    read()
    if input >= 0 { close(input) }
    input = -1
    guard let file, omitted > 0 else { return }
    let last = tail.suffix(omitted)
    let missing = omitted - last.count
    let mark = missing > 0 ? "\n[framebudget: \(missing) bytes of output are left out]\n" : ""
    _ = FileWriting.write(Array(mark.utf8) + last, to: file)
  }

  /// The last line that `isWanted`, cut to 500 characters.
  func lastLine(where isWanted: (Substring) -> Bool = { _ in true }) -> String? {
    String(decoding: tail, as: UTF8.self).split(separator: "\n").last(where: isWanted)
      .map { String($0.prefix(500)) }
  }
}
