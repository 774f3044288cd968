/// When a frame began, ended its work on the main thread and was ready, in nanoseconds since `V(i)`, the vsync that it was
/// asked for, and the spans that platforms derive from these.
public struct FrameInstants: Sendable {
  private let vsync: Int
  private let due: Int
  private let refresh: RefreshRate
  private let begin: Int64
  private let end: Int64
  private let ready: Int64
  /// When the second stage had finished the previous frame.
  private let stageFree: Int64
  /// Whether its work began before the last vsync of the run. No frame begins later; one that has only waited has no length,
  /// which must not make others look shorter.
  private let hasBegun: Bool
  /// Whether it was ready before the run ended.
  private let isReady: Bool

  /// Creates the instants of `frame` in a run with this last vsync that ended at `end`.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - before: when the second stage had finished the previous frame; nil for the first.
  ///   - lastVsync: the last vsync of the run. If none up to it has shown the frame, the frame's times are those by the end.
  ///   - end: the end of the run.
  ///   - refresh: the display's rate.
  public init(
    _ frame: FrameRecord, after before: Instant?, lastVsync: Int, end: Instant, refresh: RefreshRate
  ) {
    let origin = refresh.vsync(frame.askedVsync)
    func since(_ instant: Instant) -> Int64 { (instant - origin).nanoseconds }
    let isShown = frame.presentVsync <= lastVsync
    self.init(
      vsync: frame.askedVsync, due: frame.askedVsync + frame.dueVsync - frame.beginVsync,
      begin: since(frame.begin), end: since(frame.workEnd), ready: since(frame.ready),
      stageFree: before.map(since) ?? .min,
      hasBegun: isShown || frame.begin < refresh.vsync(lastVsync),
      isReady: isShown || frame.ready < end, refresh: refresh)
  }

  /// All times since vsync `i`, in nanoseconds.
  init(
    vsync: Int, due: Int, begin: Int64, end: Int64, ready: Int64, stageFree: Int64,
    hasBegun: Bool, isReady: Bool, refresh: RefreshRate
  ) {
    (self.vsync, self.due, self.refresh) = (vsync, due, refresh)
    (self.begin, self.end, self.ready, self.stageFree) = (begin, end, ready, stageFree)
    (self.hasBegun, self.isReady) = (hasBegun, isReady)
  }

  /// `R - V(i + d)`: the time by which it missed its deadline; negative if it was early.
  public var overrun: Int64 {
    ready - (refresh.vsync(due) - refresh.vsync(vsync)).nanoseconds
  }
  /// `R - begin`: on the main thread and in the second stage; nil if it had not begun by the end of the run.
  public var production: Int64? { hasBegun ? ready - begin : nil }
  /// `E - begin`: on the main thread; nil if it had not begun by the end of the run.
  public var build: Int64? { hasBegun ? end - begin : nil }
  /// `R` minus the later of `E` and the time at which the second stage was free: the time in the second stage; nil if that had
  /// not begun by the end of the run.
  public var raster: Int64? {
    let span = ready - max(end, stageFree)
    return isReady || span > 0 ? span : nil
  }
}

/// Spans of frames that platforms report, frame by frame; empty if the source does not have them.
public struct FrameSpans<Sample: SpanSample>: Sendable {
  /// `FrameInstants.overrun` of each frame, in nanoseconds.
  public var overruns = Sample()
  /// `FrameInstants.production` of each.
  public var productions = Sample()
  /// `FrameInstants.build` of each.
  public var builds = Sample()
  /// `FrameInstants.raster` of each; 0 without a second stage.
  public var rasters = Sample()
  /// By how much the time from the previous image to this one on the screen differs from that of their contents.
  public var animationErrors = Sample()

  /// Creates empty samples.
  public init() {}

  /// Adds a frame without its image.
  public mutating func add(_ frame: FrameInstants) {
    overruns.add(frame.overrun)
    if let production = frame.production { productions.add(production) }
    if let build = frame.build { builds.add(build) }
    if let raster = frame.raster { rasters.add(raster) }
  }
}

/// The same spans as percentiles.
public struct FrameTimes: Sendable {
  /// In nanoseconds, as in `FrameSpans`.
  public let overruns, productions, builds, rasters, animationErrors: Percentiles
  /// Whether there is a second stage with a duration above zero.
  public let hasSecondStage: Bool

  /// From samples of frames; empty if unknown.
  public init<Sample>(_ spans: FrameSpans<Sample> = FrameSpans<Distribution>()) {
    self.init(
      overruns: spans.overruns.percentiles, productions: spans.productions.percentiles,
      builds: spans.builds.percentiles, rasters: spans.rasters.percentiles,
      animationErrors: spans.animationErrors.percentiles)
  }

  /// From a run. Equal samples are stored once, and samples that follow from the log are not stored.
  init(_ log: FrameLog, works: Percentiles, animationErrors: Percentiles) {
    func sample(_ span: @escaping @Sendable (FrameInstants) -> Int64?) -> Percentiles {
      Percentiles { body in log.forEachFrame { span($0).map(body) } }
    }
    // Closures, because a function made of a key path finds its value by the key path for each frame.
    let isPunctual =
      log.lateness.allSatisfy { $0 == 0 } && log.begins.last.map { $0 < log.vsyncs } ?? true
    let builds = isPunctual ? works : sample { $0.build }
    self.init(
      overruns: sample { $0.overrun },
      productions: log.readies.isEmpty ? builds : sample { $0.production }, builds: builds,
      rasters: log.readies.isEmpty ? Percentiles([]) : sample { $0.raster },
      animationErrors: animationErrors)
  }

  private init(
    overruns: Percentiles, productions: Percentiles, builds: Percentiles, rasters: Percentiles,
    animationErrors: Percentiles
  ) {
    (self.overruns, self.productions, self.builds) = (overruns, productions, builds)
    (self.rasters, self.animationErrors) = (rasters, animationErrors)
    hasSecondStage = rasters.maximum.map { $0 > 0 } ?? false
  }
}
