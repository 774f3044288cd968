internal import FrameBudget
public import Parsing

/// What a sweep wrote, run by run and byte for byte: the line of `summary.csv` and those of `workloads.csv`.
public struct SweepRows: ~Copyable {
  /// A run's lines in both files.
  public struct Run: Sendable {
    public let summary: [UInt8]
    public let workloads: [UInt8]
  }

  private var summary: RawRecords
  private var workloads: RawRecords
  /// The first line of workloads that is of no run yet.
  private var nextWorkload: [UInt8]?

  /// Fails unless both files begin with the headers that this version writes.
  public init(
    summary: consuming ByteSource, workloads: consuming ByteSource
  ) throws(InputError) {
    self.summary = RawRecords(summary)
    self.workloads = RawRecords(workloads)
    guard try self.summary.next() == Array(SummaryCSV.header.utf8) else {
      throw InputError("has another header than this version writes", file: self.summary.name)
    }
    guard try self.workloads.next() == Array(WorkloadsCSV.header.utf8) else {
      throw InputError("has another header than this version writes", file: self.workloads.name)
    }
    nextWorkload = try self.workloads.next()
  }

  /// The next run of which the line is whole; nil behind the last.
  public mutating func next() throws(InputError) -> Run? {
    guard let line = try summary.next() else { return nil }
    let keys = Self.keys(of: line)
    var lines: [UInt8] = []
    var names: Set<ArraySlice<UInt8>> = []
    // Runs with the same keys have the same workloads, so the first of the next run is one that was there already.
    while let workload = nextWorkload, Self.keys(of: workload) == keys,
      names.insert(Self.field(of: workload, from: keys.count)).inserted
    {
      lines += workload
      nextWorkload = try workloads.next()
    }
    return Run(summary: line, workloads: lines)
  }

  /// Whether something is left once `next` has returned nil: a line without its end, or workloads of no run.
  public var hasRest: Bool { summary.torn > 0 || workloads.torn > 0 || nextWorkload != nil }

  /// What a line begins with that tells its run from others, with the comma behind it.
  private static func keys(of line: [UInt8]) -> ArraySlice<UInt8> {
    var end = 0
    for _ in ReportRow.keys.indices { end += field(of: line, from: end).count }
    return line[..<end]
  }

  /// The field that begins at `start`, with the comma behind it.
  private static func field(of line: [UInt8], from start: Int) -> ArraySlice<UInt8> {
    var isQuoted = false
    for place in line.indices[start...] {
      if line[place] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if line[place] == UInt8(ascii: ","), !isQuoted { return line[start...place] }
    }
    return line[start...]
  }
}
