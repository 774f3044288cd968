internal import FrameBudget
public import Parsing

/// Reads what `FramesCSV` writes: every run in a file, with all that its frames know.
public struct FramesFile {
  /// The runs in the order in which they begin.
  public private(set) var runs: [RecordedRun] = []
  private var columns: FramesColumns?
  private var frames = 0

  /// Two hours at 120 Hz.
  static let mostFrames = 1_000_000

  public init(_ source: consuming ByteSource) throws(InputError) {
    var records = CSVRecords(source)
    try records.forEach { (fields) throws(InputError) in try read(fields) }
    if runs.isEmpty { throw InputError("holds no frames", file: records.name) }
  }

  private mutating func read(_ fields: [String]) throws(InputError) {
    guard let columns else { return columns = try FramesColumns(fields) }
    guard frames < Self.mostFrames else { throw InputError("more than \(Self.mostFrames) frames") }
    frames += 1
    let keys = try columns.keys(fields)
    if keys != runs.last?.keys { runs.append(try columns.run(fields, keys)) }
    try append(try columns.frame(fields))
  }

  private mutating func append(_ frame: FrameRecord) throws(InputError) {
    let last = runs.count - 1
    if let before = runs[last].frames.last {
      guard frame.isOnDemand == before.isOnDemand else {
        throw InputError("frames of one run are all on demand, or none is")
      }
      guard FramesColumns.follows(frame, before) else { throw FramesColumns.outOfOrder }
    } else if frame.droppedVsyncs.lowerBound > Self.mostFrames {
      throw InputError("more than \(Self.mostFrames) frames are missing before the run's first one")
    }
    runs[last].frames.append(frame)
  }
}
