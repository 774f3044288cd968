internal import FrameBudget
internal import FrameBudgetReports
internal import FrameBudgetTerminal

/// Feeds the view from recorded runs, at the pace at which they happened.
struct ReplaySource: LiveSource {
  private let runs: [RecordedRun]
  private let metrics: [MetricSet]
  private var next: [Int]
  private var now = Instant.zero
  private var pace = WallClockPace()

  /// At most four runs; see `LiveCommand`. `metrics` are the platforms whose numbers are shown.
  init(_ runs: [RecordedRun], metrics: [MetricSet] = []) {
    self.runs = runs
    self.metrics = metrics
    next = runs.map { _ in 0 }
  }

  mutating func perform(_ command: Command, on model: inout LiveModel) {
    switch command {
    case .start: start(&model)
    case .step: step(&model)
    case .save: model.note("this run is in a file already")
    case .add, .advise, .compare, .record, .quit: break
    }
  }

  mutating func update(_ model: inout LiveModel) {
    let span = pace.passed(atSpeed: model.isPaused ? 0 : model.speed)
    advance(to: now + span, &model)
  }

  private mutating func start(_ model: inout LiveModel) {
    model.begin(
      runs.map {
        RunModel(
          label: $0.label, refresh: $0.refresh, deadline: $0.deadline, isOnDemand: $0.isOnDemand,
          metrics: metrics)
      })
    next = runs.map { _ in 0 }
    now = .zero
  }

  /// Continues to the end of the next frame of the first run, or until that frame hangs.
  private mutating func step(_ model: inout LiveModel) {
    guard next[0] < runs[0].frames.count else { return }
    let frame = runs[0].frames[next[0]]
    let refresh = runs[0].refresh
    let hang = refresh.vsync(refresh.vsyncs(through: frame.begin + FrameThresholds.hang) + 1)
    advance(to: now < hang && hang < frame.workEnd ? hang : max(now, frame.workEnd), &model)
  }

  private mutating func advance(to instant: Instant, _ model: inout LiveModel) {
    now = min(instant, end)
    for pane in runs.indices { model.take(observe(pane), pane: pane) }
    model.updateVerdicts(LiveVerdict.words)
  }

  private var end: Instant { .zero + (runs.map(\.duration).max() ?? .zero) }

  private mutating func observe(_ pane: Int) -> RunObservation {
    let frames = runs[pane].frames
    // A finished run stays at its end while longer ones continue.
    let now = min(now, .zero + runs[pane].duration)
    var observation = RunObservation()
    while next[pane] < frames.count, frames[next[pane]].workEnd <= now {
      observation.frames.append(frames[next[pane]])
      next[pane] += 1
    }
    observation.now = now
    observation.isOver = now >= .zero + runs[pane].duration
    if next[pane] < frames.count, frames[next[pane]].begin <= now {
      observation.openFrame = frames[next[pane]].asOf(now, runs[pane].refresh)
    }
    return observation
  }
}
