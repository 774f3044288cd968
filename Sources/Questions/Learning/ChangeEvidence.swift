public import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetCaptures

/// A comparison of a prediction with a recording made after the change: the predicted figures, the actual ones, and why
/// they differ.
public struct ChangeEvidence: Sendable {
  private let before: LearnedScenario
  private let after: LearnedScenario
  private let change: AppChange
  private let basis: Basis
  /// What is expected after a change to the page, and the share of the listeners' calls that remain, from 0 to 1.
  private let expected: (learned: LearnedScenario, remaining: Double)?
  /// The figures before the change, as predicted, after the change, of the replay of the latter, and of the replay of the first.
  let columns: [(name: String, figures: FrameFigures)]
  /// The range of the predicted figures; nil if it is unknown.
  private let range: PredictionRange?
  private let tooShortReason: String?
  /// Whether the replay contradicts the recording before the change, so that a prediction from it is worthless.
  private let isUnfounded: Bool
  /// How good the prediction is.
  public let verdict: Learned.Replay

  /// Why the change is believed to be the one between the recordings.
  public enum Basis: Sendable {
    /// The work on the main thread in both recordings.
    case recordings
    /// The user's word.
    case user
    /// The app was started under this arrangement.
    case arrangement(String)
    /// The browser made the change.
    case page

    fileprivate var sentence: String {
      switch self {
      case .recordings: "It was derived from the work on the main thread in both recordings."
      case .user: "It was given as an option."
      case .arrangement(let text): "The app ran under the arrangement `\(text)`."
      case .page: "The browser made it in the page, before the page's own scripts."
      }
    }
  }

  /// The allowed difference in dropped frames: in percentage points, or in percent of the actual value.
  private static let allowedPoints = 2.0
  private static let allowedPercent = 20.0
  /// A difference of at most this many points counts as no change.
  private static let unchangedPoints = 1.0

  /// - Parameters:
  ///   - change: the change to the app.
  ///   - basis: why it is believed to be that change.
  ///   - before: the recording of the prediction.
  ///   - predicted: the run of `before` under the change.
  ///   - range: the range of its figures; nil if it is unknown.
  ///   - after: the recording after the change, with the services of `before`.
  ///   - comparisons: those of both recordings with their own replays.
  ///   - expected: the scenario of `predicted`, if that is another one than `before`.
  public init(
    _ change: AppChange, basis: Basis, before: LearnedScenario, predicted: RunLog,
    range: PredictionRange? = nil, after: LearnedScenario,
    comparisons: (before: ReplayComparison, after: ReplayComparison),
    expected: LearnedScenario? = nil
  ) {
    self.range = range
    self.expected = expected.map { ($0, $0.remaining(in: predicted)) }
    (self.before, self.after, self.change, self.basis) = (before, after, change, basis)
    let recordedBefore = comparisons.before.recorded
    let prediction = FrameFigures(RunMetrics(predicted))
    let recordedAfter = comparisons.after.recorded
    columns = [
      ("before", recordedBefore), (Self.predicted, prediction), ("after", recordedAfter),
      ("after-replayed", comparisons.after.replayed),
      ("before-replayed", comparisons.before.replayed),
    ]
    tooShortReason =
      comparisons.before.tooShortReason.map { "the one before the change: \($0)" }
      ?? comparisons.after.tooShortReason.map { "the one after it: \($0)" }
    isUnfounded = comparisons.before.replay == .poor
    if let before = recordedBefore.droppedPercent, let after = recordedAfter.droppedPercent,
      let predicted = prediction.droppedPercent, !isUnfounded
    {
      verdict =
        tooShortReason == nil
        ? Self.verdict(
          recorded: (before, after),
          replayed: (comparisons.before.replayed.droppedPercent ?? before, predicted))
        : .tooShort
    } else {
      verdict = .poor
    }
  }

  private static let predicted = "predicted"

  private static func hasFrames(_ figures: FrameFigures) -> Bool { figures.droppedPercent != nil }

  /// The verdict by the dropped frames before and after the change, in percent. The direction of each pair is its own: an error of
  /// the replay before the change is none of the prediction's.
  static func verdict(
    recorded: (before: Double, after: Double), replayed: (before: Double, after: Double)
  ) -> Learned.Replay {
    let difference = abs(replayed.after - recorded.after)
    let isSame =
      direction(replayed.before, replayed.after) == direction(recorded.before, recorded.after)
    // It comes first: a change that works the other way is no near miss.
    guard isSame || difference <= unchangedPoints else { return .poor }
    return difference <= max(allowedPoints, recorded.after * allowedPercent / 100) ? .good : .fair
  }

  private static func direction(_ from: Double, _ to: Double) -> Int {
    abs(from - to) <= unchangedPoints ? 0 : from < to ? 1 : -1
  }

  /// The services that the change moves, and that run on the main thread alone after it.
  public var unmoved: [String] {
    moved.filter { index in
      let name = before.choice.names[index]
      return after.thread(with: name) == nil && after.mainThreadLoad(of: name).load > 0
    }.map { before.services[$0] }
  }

  /// Dropped frames before and after the change, of those that were wanted: of the replay, which is a prediction after it and may
  /// have a range, and as recorded.
  public var droppedInShort:
    (replayed: (before: String, after: String), recorded: (before: String, after: String))
  {
    func drops(_ column: Int) -> String { columns[column].figures.drops ?? "unknown" }
    let predicted = drops(1) + (range?.droppedInShort.map { " (\($0))" } ?? "")
    return ((drops(4), predicted), (drops(0), drops(2)))
  }

  /// What the ranges of `all` mean; nil without any.
  public static func meaning(ofRangesIn all: [ChangeEvidence]) -> String? {
    all.compactMap(\.range).first?.meaning(of: .droppedPercent)
  }

  // MARK: Text

  /// The comparison in Markdown that is also readable as plain text.
  public var text: String {
    ([
      "## After the change", conclusion, changed, table, "### Why they differ",
    ] + differences).joined(separator: "\n\n") + "\n"
  }

  private var conclusion: String {
    let span = difference(of: 1, from: 2).map { Self.text(abs($0), 1) } ?? "not known"
    let allowed =
      "\(Self.text(Self.allowedPoints, 0)) points, or \(Self.text(Self.allowedPercent, 0)) % of what came"
    switch verdict {
    case .good:
      return "The prediction held: dropped frames differ by \(span) points, within \(allowed)."
    case .fair:
      return
        "The prediction is fair: the change works in the predicted direction, but dropped frames differ by "
        + "\(span) points, more than \(allowed)."
    case .poor:
      let reason =
        if !columns.allSatisfy({ Self.hasFrames($0.figures) }) {
          "a recording does not contain the times at which frames were shown"
        } else if isUnfounded {
          "its replay contradicts the recording before the change, so nothing follows from it"
        } else {
          "dropped frames do not change in the predicted direction, and differ by \(span) points"
        }
      return "The prediction is poor: \(reason)."
    case .tooShort:
      return
        "A recording is too short to judge the prediction (\(tooShortReason ?? "")). So far, "
        + "dropped frames differ by \(span) points."
    }
  }

  /// The indices of the services that the change moves.
  private var moved: [Int] {
    before.services.indices.filter { change.moved.joined().contains(before.services[$0]) }
  }

  private var changed: String {
    let moves = moved.map { index in
      "- `\(before.services[index])` \(moveDescription(before.choice.names[index]))"
    }
    let yields =
      change.yields
      ? ["- tasks of the main thread are shorter: they yield between their calls"] : []
    let nothing =
      moves.isEmpty && yields.isEmpty && expected == nil
      ? ["- no service left the main thread, and its tasks are as long as before"] : []
    let list = moves + yields + nothing
    return "The change is taken for `\(change.name)`. \(basis.sentence)"
      + (list.isEmpty ? "" : "\n\n" + list.joined(separator: "\n"))
  }

  /// Describes where a service runs that is assumed to have left the main thread.
  private func moveDescription(_ name: String) -> String {
    if let thread = after.thread(with: name) {
      let label = thread.name.isEmpty ? "thread \(thread.number)" : thread.name.markdown
      return "runs on \(after.isAnonymous ? "another thread" : label)"
    }
    let remains = after.mainThreadLoad(of: name).load
    return remains > 0
      ? "was named as moved, but still takes \(Self.text(remains, 1)) ms/s of the main thread"
      : "left the main thread, but is on no other thread of the process; it may be gone, and is predicted on its own thread"
  }

  private var table: String {
    var lines = [
      "| | before, recorded | before, replayed | predicted | after, recorded | after, replayed |",
      "|---|---|---|---|---|---|",
    ]
    func row(_ name: String, _ places: Int, _ value: (FrameFigures) -> Double?) {
      let cells = [0, 4, 1, 2, 3].map { column in
        value(columns[column].figures).map { Self.text($0, places) } ?? "not known"
      }
      lines.append("| \(name) | \(cells.joined(separator: " | ")) |")
    }
    row("vsyncs that wanted a frame", 0, \.wanted)
    row("dropped", 0, \.dropped)
    row("dropped, %", 1, \.droppedPercent)
    if let dropped = range?.droppedInShort {
      lines.append("| range, \(range?.meaning(of: .droppedPercent) ?? "") | | | \(dropped) | | |")
    }
    row("began more than a period late", 0, \.lateBegins)
    for (index, quantile) in FrameFigures.quantiles.enumerated() {
      row("frame p\(Self.text(100 * quantile, 0)), ms", 1) { $0.frameTimes[index] }
    }
    return lines.joined(separator: "\n")
  }

  /// The difference of `dropped, %` between two of the columns.
  private func difference(of one: Int, from other: Int) -> Double? {
    guard let one = columns[one].figures.droppedPercent,
      let other = columns[other].figures.droppedPercent
    else { return nil }
    return one - other
  }

  private var differences: [String] {
    var lines: [String] = []
    if let all = difference(of: 1, from: 2), let work = difference(of: 1, from: 3),
      let replay = difference(of: 3, from: 2)
    {
      lines.append(
        "Predicted minus recorded is \(Self.text(all, 1)) points: \(Self.text(work, 1)) because the app's work or its times "
          + "differ from the prediction (*predicted* minus *after, replayed*), and \(Self.text(replay, 1)) from errors of "
          + "the replay (*after, replayed* minus *after, recorded*).")
    }
    lines.append(loads)
    let notes = notes
    if !notes.isEmpty { lines.append(notes.map { "- \($0)" }.joined(separator: "\n")) }
    return lines
  }

  /// A row of the table: a load on the main thread before the change, as predicted, and after it.
  private struct Load {
    let name: String
    let before: LearnedScenario.MainThreadLoad
    let predicted: LearnedScenario.MainThreadLoad
    let after: LearnedScenario.MainThreadLoad

    var excess: Double { after.load - predicted.load }
  }

  private var rows: [Load] {
    let gone = Set(change.moved.joined())
    let none = LearnedScenario.MainThreadLoad(calls: 0, load: 0)
    let names = Array(before.choice.namesOnMain)
    return names.enumerated().map { index, name in
      let load = before.mainThreadLoad(of: name)
      return Load(
        name: before.services[index], before: load,
        predicted: gone.contains(before.services[index])
          ? none : predicted { $0.mainThreadLoad(of: name) },
        after: after.mainThreadLoad(of: name))
    } + [
      Load(
        name: "everything else", before: before.mainThreadLoad(outside: names),
        predicted: predicted { $0.mainThreadLoad(outside: names) },
        after: after.mainThreadLoad(outside: names)),
      Load(
        name: "frames", before: before.drawing, predicted: predicted(\.drawing),
        after: after.drawing),
    ]
  }

  /// What a change to the page leaves of a load.
  private func predicted(
    _ load: (LearnedScenario) -> LearnedScenario.MainThreadLoad
  ) -> LearnedScenario.MainThreadLoad {
    let all = load(before)
    guard let (learned, remaining) = expected else { return all }
    let rest = load(learned)
    return LearnedScenario.MainThreadLoad(
      calls: rest.calls + (all.calls - rest.calls) * remaining,
      load: rest.load + (all.load - rest.load) * remaining)
  }

  private var loads: String {
    let head = [
      "on the main thread", "ms/s, before", "predicted", "after", "calls/s, before", "after",
      "ms a call, before", "after",
    ]
    let lines = rows.map { row in
      [
        row.name, Self.text(row.before.load, 1), Self.text(row.predicted.load, 1),
        Self.text(row.after.load, 1), Self.text(row.before.calls, 1), Self.text(row.after.calls, 1),
        row.before.callDuration.map { Self.text($0, 2) } ?? "",
        row.after.callDuration.map { Self.text($0, 2) } ?? "",
      ]
    }
    return ([head, head.map { _ in "---" }] + lines).map {
      "| \($0.joined(separator: " | ")) |"
    }.joined(separator: "\n")
  }

  /// Smaller differences in load, in milliseconds per second, explain nothing.
  private static let minLoad = 10.0

  /// The differences that the table shows, the largest first.
  private var notes: [String] {
    rows.filter { abs($0.excess) >= Self.minLoad }
      .sorted { abs($0.excess) > abs($1.excess) }
      .map { row in
        let span = "\(Self.text(abs(row.excess), 0)) ms/s \(row.excess > 0 ? "more" : "less")"
        var reason = ""
        if let predicted = row.predicted.callDuration, let actual = row.after.callDuration,
          predicted > 0
        {
          let change = 100 * (actual / predicted - 1)
          reason =
            abs(row.after.calls / row.predicted.calls - 1) > abs(actual / predicted - 1)
            ? ": it runs \(Self.text(row.after.calls, 1)) times a second rather than \(Self.text(row.predicted.calls, 1))"
            : ": a call takes \(Self.text(abs(change), 0)) % \(change > 0 ? "longer" : "less")"
        }
        return "\(row.name) takes \(span) of the main thread than predicted\(reason)"
      }
  }

  private static func text(_ value: Double, _ places: Int) -> String {
    Decimal.text(value, places: places)
  }

  // MARK: Table

  /// The name of the file for `csv`.
  public static let file = "after-the-change.csv"

  /// The report and the table.
  public var files: [(name: String, text: String)] {
    [("after-the-change.md", text), (Self.file, csv)]
  }

  /// The figures as CSV, a row for each of `columns`. Columns have the
  /// names of `summary.csv`.
  public var csv: String { Self.csv([self]) }

  /// The same of several changes, in one table.
  public static func csv(_ all: [ChangeEvidence]) -> String {
    let head =
      [
        "kind", "change", "verdict", Metric.expectedFrames.name, Metric.droppedFrames.name,
        Metric.droppedPercent.name,
        Metric.lateBegins.name,
      ]
      + FrameFigures.quantiles.map { "frame_ms_p\(text(100 * $0, 0))" }
      + [Metric.low(of: Metric.droppedPercent.name), Metric.high(of: Metric.droppedPercent.name)]
    return ([head] + all.flatMap(\.cells)).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private var cells: [[String]] {
    columns.map { name, figures in
      [name, change.name, verdict.rawValue]
        + [
          (figures.wanted, 0), (figures.dropped, 0), (figures.droppedPercent, 3),
          (figures.lateBegins, 0),
        ]
        .map { value, places in value.map { Self.text($0, places) } ?? "" }
        + figures.frameTimes.map { $0.map { Self.text($0, 3) } ?? "" }
        + Self.ends(of: name == Self.predicted ? range?[.droppedPercent] : nil)
    }
  }

  /// The cells of a range; empty without one.
  private static func ends(of range: ClosedRange<Double>?) -> [String] {
    [range?.lowerBound, range?.upperBound].map { $0.map { text($0, 3) } ?? "" }
  }
}
