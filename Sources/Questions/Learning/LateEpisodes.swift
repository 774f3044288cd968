/// Compares the late episodes of a recording and of its replay. A late episode is a run of consecutive vsyncs at which a
/// wanted picture did not appear.
///
/// An episode of one side counts as found in the other if it overlaps or touches an episode there.
public struct LateEpisodes: Sendable {
  /// The number of episodes in the recording, and how many of them are also in the replay.
  public private(set) var recorded = 0
  public private(set) var found = 0
  /// The number of episodes in the replay, and how many of them are also in the recording.
  public private(set) var replayed = 0
  public private(set) var confirmed = 0
  /// For each group of episodes in both: how many vsyncs longer the replay's are; negative if shorter.
  public private(set) var differences: [Int] = []

  /// The mean absolute difference in length, in vsyncs; nil if no episode is in both.
  public var lengthError: Double? {
    differences.isEmpty
      ? nil : Double(differences.reduce(0) { $0 + abs($1) }) / Double(differences.count)
  }

  /// - Parameters:
  ///   - recorded: the vsyncs without the picture that was wanted, in the recording.
  ///   - replayed: the same of the replay.
  init(recorded: some Sequence<Int>, replayed: some Sequence<Int>) {
    let runs =
      Self.runs(of: recorded).map { (span: $0, isRecorded: true) }
      + Self.runs(of: replayed).map { (span: $0, isRecorded: false) }
    var group = Group()
    for run in runs.sorted(by: { $0.span.lowerBound < $1.span.lowerBound }) {
      if run.span.lowerBound > group.end {
        take(group)
        group = Group()
      }
      group.add(run.span, run.isRecorded)
    }
    take(group)
  }

  /// Episodes that overlap or touch one another. Two of the same side never do.
  private struct Group {
    var end = Int.min
    var recorded: [Int] = []
    var replayed: [Int] = []

    mutating func add(_ span: Range<Int>, _ isRecorded: Bool) {
      end = max(end, span.upperBound)
      if isRecorded { recorded.append(span.count) } else { replayed.append(span.count) }
    }
  }

  private mutating func take(_ group: Group) {
    recorded += group.recorded.count
    replayed += group.replayed.count
    guard !group.recorded.isEmpty, !group.replayed.isEmpty else { return }
    found += group.recorded.count
    confirmed += group.replayed.count
    differences.append(group.replayed.reduce(0, +) - group.recorded.reduce(0, +))
  }

  private static func runs(of vsyncs: some Sequence<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for vsync in Set(vsyncs).sorted() {
      if let last = runs.last, last.upperBound == vsync {
        runs[runs.count - 1] = last.lowerBound..<(vsync + 1)
      } else {
        runs.append(vsync..<(vsync + 1))
      }
    }
    return runs
  }
}
