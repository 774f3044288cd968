public import FrameBudget
public import FrameBudgetParsing

/// A frame log of this or another tool, recognised by its content.
public struct ImportedLog: Sendable {
  public let file: String
  public let format: LogFormat
  /// In the order of their first rows.
  public let streams: [ImportedFrames]

  /// Reads the log from `source`; `refresh` is the display's rate if the log does not have it.
  public init(_ source: consuming ByteSource, refresh: RefreshRate?) throws(InputError) {
    file = source.name
    let path = source.canBeReadAgain ? file : nil
    let log: (LogFormat, [ImportedFrames])?
    do {
      try source.unpack()
      log = try LogFormat.read(source, refresh: refresh)
    } catch {
      throw error.of(file)
    }
    guard let log else {
      throw RecordingFile.isRecording(path)
        ?? InputError("is not a known frame log; supported: \(LogFormat.known)", file: file)
    }
    (format, streams) = log
    guard streams.contains(where: { $0.rows > 0 }) else {
      let remedy =
        format == .frameStats ? "; 'dumpsys gfxinfo PACKAGE framestats' prints them" : ""
      throw RecordingFile.isRecording(path) ?? InputError("holds no frames\(remedy)", file: file)
    }
    guard !streams.contains(where: \.areShuffled) else {
      throw InputError("its rows are not in the order of time; sort them first", file: file)
    }
    guard !streams.contains(where: \.isTooLong) else {
      throw InputError("its frame times add up to more than 73 years", file: file)
    }
  }
}

extension ImportedLog {
  /// For each stream, the name that it shares with other captures of its app: `name`, or that of the process. Of several
  /// streams, all but the one with the most rows get a number, unless they are runs one after another.
  public func apps(named name: String?) -> [String] {
    var apps = streams.map { $0.app.isEmpty ? "" : name ?? $0.app }
    var counts: [String: Int] = [:]
    let order = streams.indices.sorted { (streams[$1].rows, $0) < (streams[$0].rows, $1) }
    for index in order where !streams[index].isRun && !apps[index].isEmpty {
      counts[apps[index], default: 0] += 1
      if let count = counts[apps[index]], count > 1 { apps[index] += " #\(count)" }
    }
    return apps
  }
}

/// The frames of one process and swap chain in a log, as the project's metrics.
public struct ImportedFrames: Sendable {
  public let process: String
  /// Empty if the log does not distinguish swap chains.
  public let swapChain: String
  /// What it has in common with other captures of the same app; empty for runs of ours.
  let app: String
  let isRun: Bool
  /// The processor and graphics card, or the device; empty if the log does not say them.
  public let machine: String
  /// Rows of the log, shown or not.
  public let rows: Int
  /// Presents that were replaced before they were shown; PresentMon 1 calls them `Dropped`.
  public let supersededFrames: Int?
  public let displayChanges: Int?
  /// Images without the main thread's part; nil if the log does not distinguish them.
  public let partialFrames: Int?
  /// Nil if neither the log nor the user gave it.
  public let refreshHz: Double?
  /// The time that the counted frames cover.
  public let duration: TimeSpan
  /// By the name of the metric, ours or the platform's; without metrics that do not apply.
  public let values: [String: MetricValue]
  public let warnings: [String]
  /// Whether dropped frames could be counted if the refresh rate were known.
  public let needsRate: Bool
  let areShuffled: Bool
  /// Whether its times add up to more than a recording can hold.
  let isTooLong: Bool

  /// The metrics of `tally`: over `duration` if the log has it, otherwise over the time of its images or, without a screen, of
  /// its frames. A log that `countsVsyncs` has the vsyncs that wanted a frame, even if there are none.
  init(
    _ key: StreamKey, _ tally: FrameTally, showsDisplay: Bool, countsVsyncs: Bool = false,
    duration: TimeSpan? = nil,
    presentTimes: Distribution = Distribution(), unknown: FrameKnowledge = [.causes, .pipeline],
    figures: [RecordedFigure] = [], doubt: String? = nil
  ) {
    var tally = tally
    tally.countByGrid()
    process = key.process
    swapChain = key.swapChain
    (app, isRun, machine) = (key.app, key.isRun, key.machine)
    rows = tally.issues.rows
    supersededFrames = showsDisplay ? tally.superseded : nil
    displayChanges = showsDisplay ? tally.displayChanges : nil
    partialFrames = tally.partial
    refreshHz = tally.refresh?.hertz
    let covered = tally.covered
    self.duration = duration ?? TimeSpan(nanoseconds: covered.sum)
    let metrics = FrameMetrics(
      tally.statistics, over: self.duration, images: tally.clock == .vsyncs ? nil : covered.count,
      frameTimes: Percentiles(tally.frameTimes), presentTimes: Percentiles(presentTimes),
      times: FrameTimes(tally.spans))
    let vsyncProblem = doubt ?? tally.vsyncProblem(showsDisplay: showsDisplay)
    let found = tally.knowledge(hasVsyncProblem: vsyncProblem != nil)
    let known = (countsVsyncs ? found.union(.vsyncs) : found).subtracting(unknown)
    values = Self.values(of: metrics, known).merging(
      figures.map { ($0.metric.name, $0.value) }, uniquingKeysWith: { $1 })
    warnings = (tally.warnings + [vsyncProblem].compactMap(\.self)).map { "\(key): \($0)" }
    needsRate = vsyncProblem == nil && tally.refresh == nil && metrics.expected == 0
    areShuffled = tally.issues.areShuffled
    isTooLong =
      max(self.duration.nanoseconds, tally.frameTimes.sum) > InputTime.instants.upperBound
  }

  private static func values(
    of metrics: FrameMetrics, _ known: FrameKnowledge
  ) -> [String: MetricValue] {
    var values: [String: MetricValue] = [Metric.status.name: .text(RunLog.Status.complete.rawValue)]
    for metric in MetricCatalog.frames where known.isSuperset(of: metric.needs ?? []) {
      values[metric.name] = metric.value(metrics)
    }
    return values
  }
}

extension FrameTally {
  /// The spans that make up the counted time: those of images, or of frames if there are no images.
  var covered: Distribution {
    statistics.intervals.count > 0 ? statistics.intervals : frameTimes
  }

  func knowledge(hasVsyncProblem: Bool) -> FrameKnowledge {
    var known: FrameKnowledge = [.causes, .pipeline]
    if frameTimes.count > 0, !isOnDemand { known.insert(.times) }
    if covered.count > 0, !isOnDemand { known.insert(.screen) }
    if refresh != nil, !hasSeveralRates { known.insert(.rate) }
    if !hasVsyncProblem, statistics.vsyncs.expected > 0 { known.insert(.vsyncs) }
    if spans.overruns.count > 0 { known.insert(.deadlines) }
    if spans.builds.count > 0 { known.insert(.stages) }
    if spans.productions.count > 0 { known.insert(.productions) }
    if spans.animationErrors.count > 0 { known.insert(.contents) }
    if knowsTasks { known.insert(.tasks) }
    return known
  }

  static let noImages =
    "the log has no times of images on the screen, so dropped frames and hitches are empty"

  /// The reason why the log does not show the vsyncs without a new frame, if so.
  func vsyncProblem(showsDisplay: Bool) -> String? {
    if clock == .screen, !showsDisplay || statistics.intervals.count == 0 {
      return Self.noImages
    }
    if issues.areSamples(sum: frameTimes.sum), let elapsed = issues.elapsed {
      return """
        frame times cover \(Self.seconds(frameTimes.sum)) of \(Self.seconds(elapsed)): the log holds \
        samples, so metrics that need every frame (dropped frames, hitches) are empty
        """
    }
    if isOnDemand {
      return """
        half of the images stayed for more than \(FrameThresholds.hang), as in a window that draws only when \
        something changes: dropped frames, hitches and hangs are empty
        """
    }
    guard clock == .screen, let grid, !grid.isOnGrid, let refresh else { return nil }
    if unsynced * 2 > displayChanges {
      return """
        images were shown without waiting for a vsync (AllowsTearing), and not at a rate of \(refresh): \
        dropped frames and hitches are empty
        """
    }
    guard fitsNoGrid else { return nil }
    if let better = betterRate {
      return
        "its images fit \(better) far better than \(refresh), so dropped frames and hitches are empty: is --hz right?"
    }
    return """
      images were shown at times that fit no rate of \(refresh), as with a variable refresh rate: dropped \
      frames and hitches are empty
      """
  }

  /// Whether the images were shown at varying times that fit no multiple of the period.
  var fitsNoGrid: Bool {
    guard clock == .screen, let grid else { return false }
    return !grid.isOnGrid && displayChanges >= 30 && !isSteady
  }

  /// Whether most images stayed for so long that the app cannot have wanted a frame at each vsync. Only a log with the vsyncs
  /// says at which it did.
  var isOnDemand: Bool {
    guard clock != .vsyncs, covered.count >= 10, let median = Percentiles(covered).quantile(0.5)
    else { return false }
    return median > Double(FrameThresholds.hang.nanoseconds)
  }

  /// Whether nearly all images stayed equally long, which is an app's pace and not a variable refresh rate.
  private var isSteady: Bool {
    let intervals = statistics.intervals
    guard let median = Percentiles(intervals).quantile(0.5) else { return true }
    var near = 0
    intervals.fromLongest { interval, count in
      if abs(Double(interval) - median) <= 0.05 * median { near += count }
      return Double(interval) >= 0.95 * median
    }
    return near * 5 > intervals.count * 4
  }
}
