internal import FrameBudget

/// `--trace`: runs in Chrome's trace format, a process for each, a track for each thread.
///
///     var file = TraceFile()
///     output.write(TraceFile.head)
///     for row in rows { file.write(row) { output.write($0) } }
///     output.write(TraceFile.tail)
public struct TraceFile: Sendable {
  private var numbers = Numbers()
  private var isEmpty = true

  /// Numbers that no two processes, threads or flows of a file share.
  struct Numbers {
    var track = 1
    var flow = 1
  }

  public init() {}

  public static let head = TraceEvent.head
  public static let tail = TraceEvent.tail

  /// Writes a run that was traced, piece by piece.
  public mutating func write<Failure: Error>(
    _ row: ReportRow, to output: (String) throws(Failure) -> Void
  ) throws(Failure) {
    guard let trace = row.log.trace else { preconditionFailure("a run that was traced") }
    let run = RunTrace(row, trace, numbered: &numbers)
    var piece = ""
    for part in 0..<run.parts {
      for event in run.events(ofPart: part) {
        piece += (isEmpty ? "" : TraceEvent.separator) + event.line
        isEmpty = false
        guard piece.utf8.count > 1 << 16 else { continue }
        try output(piece)
        piece = ""
      }
    }
    try output(piece)
  }
}
