public import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetCaptures

/// The report on a learned scenario, `README.md` beside it: what the recording contains, and how far the replay can be
/// trusted.
public struct LearnReport: Sendable {
  private let learned: LearnedScenario
  private let comparison: ReplayComparison
  private let moves: [Move]
  private let sets: [MetricSet]

  /// The run of an arrangement that moves one service, and the range of its figures.
  public struct Move: Sendable {
    let service: String
    /// The run.
    public let log: RunLog
    let range: PredictionRange?

    /// - Parameters:
    ///   - service: the service that moves.
    ///   - log: the run.
    ///   - range: the range of its figures; nil if it is unknown.
    public init(service: String, log: RunLog, range: PredictionRange?) {
      (self.service, self.log, self.range) = (service, log, range)
    }
  }

  /// `moves` are the runs of the arrangements that move one service each. `sets` are the platforms whose metrics are
  /// reported for the replay; by default, the platform whose tools make such recordings.
  public init(
    _ learned: LearnedScenario, _ comparison: ReplayComparison,
    moves: [Move], sets: [MetricSet]? = nil
  ) {
    self.sets = sets ?? [learned.recording.format.platform?.metrics].compactMap(\.self)
    self.learned = learned
    self.comparison = comparison
    self.moves = moves
  }

  /// The report in Markdown that is also readable as plain text.
  public var text: String {
    [
      ["# \(learned.name): what was found in \(learned.source.markdown)"], verdict, found,
      ["## Recorded and replayed"] + recordedAndReplayed,
      ["## Frame by frame"] + frameByFrame, platformFigures, ["## Services"] + services,
      drawing, meaning, ["## Assumptions"] + assumptions,
    ].filter { !$0.isEmpty }.map { $0.joined(separator: "\n\n") }.joined(separator: "\n\n") + "\n"
  }

  private var verdict: [String] {
    let headline =
      switch comparison.replay {
      case .good: "The replay is good: \(evidenceInShort)."
      case .fair where moves.isEmpty: "The replay is fair: \(evidenceInShort). \(Self.noMoves)"
      case .fair where comparison.counts.agreeing == comparison.counts.all:
        "The replay is fair: \(evidenceInShort), but not all that a remedy needs was recorded."
      case .fair:
        "The replay is fair: \(evidenceInShort). You can trust the order of remedies, but not their figures."
      case .poor where moves.isEmpty:
        "The replay is poor: you cannot trust its figures. \(Self.noMoves)"
      case .poor: "The replay is poor: you can trust neither the figures nor the order of remedies."
      case .tooShort:
        "The recording is too short to judge the replay (\(comparison.tooShortReason ?? "")). So far, \(evidenceInShort)."
      }
    let faults = comparison.faults.map { "- \($0)" }.joined(separator: "\n")
    let answer = comparison.replay == .poor ? nil : comparison.need.answer
    return [headline, faults, answer ?? ""].filter { !$0.isEmpty }
  }

  private static let noMoves =
    "It has no service that could run on another thread, so 'advise' can move nothing."

  /// A clause for the headline.
  private var evidenceInShort: String {
    let (counts, episodes) = (comparison.counts, comparison.episodes)
    let late =
      episodes.recorded == 0
      ? "nothing was late" : "it has \(episodes.found) of \(episodes.recorded) late episodes"
    return late
      + ", and \(counts.agreeing) of \(counts.all) vsyncs agree (*always shown*: \(counts.alwaysShown))"
  }

  private var found: [String] {
    let recording = learned.recording
    let thread = recording.threads.first
    let tasks = learned.items.workloads.reduce(0) { $0 + $1.items.count }
    var lines = [
      "- \(Self.whole(recording.length.inSeconds, 1)) s of a \(recording.format.title)"
        + (learned.isAnonymous
          ? ""
          : ", \(Self.named(thread)) of \(Self.named(recording.process))"),
      "- \(English.count(tasks, "item")) in \(English.count(learned.items.workloads.count, "workload")), "
        + "\(English.count(learned.screen.frames.count, "frame")) "
        + "that the UI thread drew, at \(learned.screen.grid.refresh)",
      "- coverage: named slices explain \(Self.whole(100 * learned.coverage, 0)) % of the UI thread's time, and "
        + "\(Self.whole(100 * learned.choice.namedShare, 0)) % of its work\(whileLate)",
    ]
    if !learned.screen.verdicts.isEmpty {
      let counts = learned.screen.verdicts.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.value) \($0.key.words)" }
      lines.append("- the platform's verdicts on frames: \(counts.joined(separator: ", "))")
    }
    if !learned.lanes.isEmpty {
      let lanes = learned.lanes.indices.map { lane in
        let work = learned.choice.homes.filter { $0.value == lane }
          .reduce(0) { $0 + learned.items.totals[$1.key] }
        return "\(learned.lanes[lane]) (\(Self.whole(Double(work) / 1e6, 1)) ms)"
      }
      lines.append(
        "- other threads with work of the app, a lane each: \(lanes.joined(separator: ", "))")
    }
    lines += (recording.omissions.map { "not part of it: \($0)" } + recording.doubts).map {
      "- \($0.markdown)"
    }
    return [lines.joined(separator: "\n")]
  }

  // MARK: Recording and replay

  private var recordedAndReplayed: [String] {
    var lines = ["| | recorded | replayed |", "|---|---|---|"]
    func row(_ name: String, _ places: Int, _ value: (FrameFigures) -> Double?) {
      let cells = [comparison.recorded, comparison.replayed].map { Self.cell(value($0), places) }
      lines.append("| \(name) | \(cells.joined(separator: " | ")) |")
    }
    row("vsyncs that wanted a frame", 0, \.wanted)
    row("dropped", 0, \.dropped)
    row("dropped, %", 1, \.droppedPercent)
    row("deadline missed", 0, \.missedDeadlines)
    row("began more than a period late", 0, \.lateBegins)
    for (index, quantile) in FrameFigures.quantiles.enumerated() {
      row("frame p\(Self.whole(100 * quantile, 0)), ms", 1) { $0.frameTimes[index] }
    }
    return [lines.joined(separator: "\n"), evidence]
  }

  private var evidence: String {
    switch learned.screen.evidence {
    case .verdicts:
      "The recorded column is the platform's verdict at each vsync that wanted a frame of the UI thread. A picture "
        + "without that frame counts as a drop; pictures that only the compositor drew do not count."
    case .presents:
      "The recorded column follows from the times at which the platform showed frames."
    case .rule:
      "The recording does not say what was shown. The recorded column is computed from the recorded ends of frames by "
        + "the rule of the screen, so it checks the items, but not that rule."
    }
  }

  private var frameByFrame: [String] {
    let counts = comparison.counts
    guard counts.all > 0 else { return ["The recording has no vsyncs to compare."] }
    let table = """
      | recorded | shown in the replay | dropped in the replay | nothing wanted in the replay |
      |---|---|---|---|
      | shown | \(counts.bothShown) | \(counts.onlyReplayDropped) | \(shownMissing) |
      | dropped | \(counts.onlyRecordingDropped) | \(counts.bothDropped) | \(droppedMissing) |
      """
    var lines = [table, skill]
    lines += lateEpisodes
    let others = comparison.onlyInReplay
    if others.shown + others.dropped > 0 {
      lines.append(
        "At \(English.count(others.shown + others.dropped, "other vsync")) the replay wants a frame, but the recording has none of the UI "
          + "thread: the replay shows \(others.shown) and drops \(others.dropped) there.")
    }
    return lines
  }

  private var skill: String {
    let counts = comparison.counts
    func share(_ count: Int) -> String { "\(count) (\(Self.percent(count, counts.all)) %)" }
    let kappa =
      counts.kappa.map { " Cohen's kappa, which is 0 for either, is \(Self.whole($0, 2))." } ?? ""
    return
      "\(counts.agreeing) of \(counts.all) vsyncs agree (\(Self.percent(counts.agreeing, counts.all)) %). The recipe "
      + "*always shown* agrees in \(share(counts.alwaysShown)), *always dropped* in \(share(counts.alwaysDropped)).\(kappa)"
  }

  private var lateEpisodes: [String] {
    let episodes = comparison.episodes
    guard episodes.recorded + episodes.replayed > 0 else { return [] }
    let lengths =
      episodes.lengthError.map {
        " Their lengths differ by \(Self.whole($0, 1)) vsyncs on average."
      } ?? ""
    return [
      "A late episode is a series of vsyncs without the wanted picture. The replay has \(episodes.found) of the "
        + "\(episodes.recorded) recorded episodes; \(episodes.confirmed) of its \(episodes.replayed) were recorded.\(lengths)"
    ]
  }

  private var shownMissing: Int {
    let counts = comparison.counts
    return counts.alwaysShown - counts.bothShown - counts.onlyReplayDropped
  }

  private var droppedMissing: Int { comparison.counts.notInReplay - shownMissing }

  /// The figures of the platform's own tools for the recording and for the replay; counts of 0 are left out.
  private var platformFigures: [String] {
    let figures = learned.recording.figures
    // A metric has the same title in both columns, even if the recording counts it in another way.
    let recorded = figures.reduce(into: [:]) { $0[$1.metric.title] = $1.value }
    let known = Set(sets.flatMap(\.metrics).map(\.recordedTitle))
    let rows =
      sets.flatMap(\.metrics).compactMap { theirs in
        let metric = theirs.metric
        return Self.row(
          theirs.theirs, metric.unit, recorded[theirs.recordedTitle],
          metric.value(comparison.metrics))
      }
      + figures.filter { !known.contains($0.metric.title) }.compactMap {
        Self.row($0.metric.title, $0.metric.unit, $0.value, nil)
      }
    guard !rows.isEmpty else { return [] }
    return [
      "## The platform's metrics",
      (["| | recorded | replayed |", "|---|---|---|"] + rows).joined(separator: "\n"),
    ]
  }

  /// Nil if both values are missing or 0.
  private static func row(
    _ name: String, _ unit: Metric.Unit, _ recorded: MetricValue?, _ replayed: MetricValue?
  ) -> String? {
    let values = [recorded, replayed]
    guard values.contains(where: { $0.map { $0 != .count(0) } ?? false }) else { return nil }
    let texts = values.map { value in
      value.map { $0.number.map { whole($0, 3) } ?? "\($0)" } ?? ""
    }
    let suffix = unit == .none || unit == .count ? "" : ", \(unit.rawValue)"
    return "| \(name)\(suffix) | \(texts[0]) | \(texts[1]) |"
  }

  // MARK: Services

  /// When services were chosen by what ran: at any time if no frame was late.
  private var whileLate: String { learned.lateFrames > 0 ? " while frames were late" : "" }

  private var services: [String] {
    guard learned.hasSlices else {
      return [
        "The recording has frames but no slices. The scenario replays the durations and due times of frames, but has no "
          + "work that an arrangement could move, so it answers no what-if. Record the app's slices too to ask one."
      ]
    }
    guard !learned.services.isEmpty else {
      return ["No slice of the UI thread with a name of the app's ran\(whileLate)."]
    }
    var lines = [
      "| service | in items, ms | in how many of \(learned.lateFrames) late frames | dropped without it on the main thread | "
        + "range |",
      "|---|---|---|---|---|",
    ]
    for (index, service) in learned.services.enumerated() {
      let move = moves.first { $0.service == service }
      let moved = move.map { "\(RunMetrics($0.log).frames.dropped)" }
      lines.append(
        "| \(service) | \(Self.whole(Double(learned.items.totals[index]) / 1e6, 1)) | \(learned.lateFramesByService[index]) | "
          + "\(moved ?? stays(index)) | \(move?.range?.droppedInShort ?? "") |")
    }
    let meaning = moves.compactMap(\.range).first.map {
      "Range: \($0.meaning(of: .droppedPercent))."
    }
    return [
      ([lines.joined(separator: "\n")] + [meaning].compactMap(\.self)).joined(separator: "\n\n"),
      "The replay drops \(Self.cell(comparison.replayed.dropped, 0)). Timers have another phase each time an app "
        + "starts: `framebudget run \(learned.name).yaml --engine virtual --set phase=random --vary seed=1..20 --summary -o seeds` "
        + "shows the effect.",
    ]
  }

  private func stays(_ index: Int) -> String {
    if let lane = learned.choice.homes[index] { return "already on \(learned.lanes[lane])" }
    if learned.choice.platforms.contains(index) {
      return "the platform's own, which no arrangement moves"
    }
    return learned.parts.contains(learned.services[index])
      ? "a part of drawing" : "only in frames, which no arrangement moves"
  }

  /// The parts of drawing.
  private var drawing: [String] {
    let totals = learned.partTotals
    guard !totals.isEmpty else { return [] }
    let (frames, dropped) = (learned.drawnFrames, learned.droppedFrames)
    let lines = totals.map { part in
      let share = Self.whole(100 * part.span.inSeconds / learned.drawingTime.inSeconds, 1)
      return "| \(part.name) | \(Self.whole(part.span.inMilliseconds, 1)) | \(share) | "
        + "\(part.frames) | \(part.dropped) |"
    }
    let head = [
      "| part | in frames, ms | of all drawing, % | in how many of \(frames) frames | in how many of \(dropped) dropped |",
      "|---|---|---|---|---|",
    ]
    return [
      "## Parts of drawing", (head + lines).joined(separator: "\n"),
      "These are slices of the app in frames. The rest of drawing is the platform's own, and what has no name.",
    ]
  }

  private var meaning: [String] {
    guard !moves.isEmpty else { return [] }
    var lines = [
      "- A service on a thread of its own answers later: what a task does behind it waits for the way there and back, and "
        + "other tasks run meanwhile, in another order than was recorded.",
      "- A picture may be shown before what the service finds out is in it, where it was there in time before.",
      "- Whether the service may run on another thread at all is in no recording: what touches the UI, or the document, "
        + "may not.",
    ]
    if learned.recording.format == .chrome { lines.append(Self.returning) }
    lines += learned.chainedTimers.compactMap(chained)
    return ["## What a move changes", lines.joined(separator: "\n")]
  }

  /// Measured in Chromium, as `benchmarks/engines/returning.html` says.
  private static let returning =
    "- What a Worker returns is decoded on the main thread, which no prediction contains, because recordings do not have its "
    + "size. On another machine that took 0.1 ms for each message, 0.7 ms for a megabyte in a typed array, 9 ms for 10,000 "
    + "objects of four fields, and no more for a buffer that is transferred."

  /// What a move does to a timer that fires again some time after its callback has ended.
  private func chained(_ timer: ChainedTimer) -> String? {
    let service = learned.services[timer.service]
    guard moves.contains(where: { $0.service == service }), timer.shorter > 0 else { return nil }
    let (now, then) = (Double(timer.period) / 1e6, Double(timer.shorter) / 1e6)
    return
      "- The timer that calls \(service.markdown) is set again by its own callback. If the service runs elsewhere, it fires "
      + "every \(Self.whole(then, 0)) ms instead of \(Self.whole(now, 0)), "
      + "\(Self.whole(100 * (now / then - 1), 0)) % more often than a prediction says."
  }

  private var assumptions: [String] {
    let screen = learned.screen
    var lines = [
      "- frames are wanted at the same vsyncs as in the recording, whatever is moved",
      "- work that ran while a frame waited for the main thread had been posted before it; if the thread was idle "
        + "meanwhile, something else delayed the frame, and does so in the replay",
      "- drawing stays in its frames, and takes as long wherever other work runs",
      "- hand-offs and copies have the costs that `framebudget bench` measured on another machine, because recordings of "
        + "a main thread do not contain them",
      learned.lanes.isEmpty
        ? "- the other threads of the app are idle: what they took of the cores is not replayed"
        : "- what a task posts to another thread runs there after what came before the post, and its answer comes after that, "
          + "whatever is moved; lanes took from each other and from the main thread what they had beyond \(learned.cores) cores, "
          + "and do so again in the replay; threads without a lane are idle",
      "- \(learned.cores) cores"
        + (learned.recording.cores == nil ? ", because the recording does not say how many" : ""),
      "- a frame is due \(English.count(screen.deadline, "vsync")) after its own; frames in flight at most: \(screen.buffers)",
    ]
    if screen.stage.exists {
      lines.append(
        "- a second stage follows the main thread and takes its recorded time for each frame, "
          + "\(Self.whole(Double(screen.stage.median) / 1e6, 1)) ms in the median, whatever is moved"
      )
    }
    if !screen.grid.isKnown {
      lines.append("- 60 Hz, because the recording does not say the refresh rate")
    }
    if learned.recording.threads.first?.runs == nil {
      lines.append(
        "- time without recorded processor time counts as waiting, not as time of other processes")
    }
    return [lines.joined(separator: "\n")]
  }

  // MARK: Figures

  private static func whole(_ value: Double, _ places: Int) -> String {
    Decimal.text(value, places: places)
  }

  private static func cell(_ value: Double?, _ places: Int) -> String {
    value.map { whole($0, places) } ?? "not known"
  }

  private static func percent(_ part: Int, _ all: Int) -> String {
    whole(100 * Double(part) / Double(all), 1)
  }

  private static func named(_ process: RecordedProcess) -> String {
    process.name.isEmpty
      ? "process \(process.number)" : "\(process.name.markdown) (\(process.number))"
  }

  private static func named(_ thread: RecordedThread?) -> String {
    guard let thread else { return "no thread" }
    return thread.name.isEmpty ? "thread \(thread.number)" : thread.name.markdown
  }
}

extension PlatformMetric {
  /// The title of the recording's figure for the same metric.
  fileprivate var recordedTitle: String {
    RecordedMetric.all.first { $0.name == metric.name }?.title ?? theirs
  }
}
