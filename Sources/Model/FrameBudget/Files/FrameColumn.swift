/// The keys that identify a run: the first columns of every file of runs.
///
/// New kinds of files begin with these, in this order, without those that do not apply to their lines. Two older kinds have
/// their own order after `schema`: measurements of `bench` begin with the carrier, and comparisons with the group, because none
/// of their lines is about one run.
package enum RunKey: String, CaseIterable, Sendable {
  case schema, scenario, strategy, options, changes, engine, cores, repetition, seed
  case refresh = "refresh_hz"
  case duration = "duration_ms"
  case warmup = "warmup_frames"

  package var name: String { rawValue }

  package var meaning: String {
    switch self {
    case .schema:
      "version of the columns and their meaning: added at the end, never renamed or moved"
    case .scenario: "its name"
    case .strategy: "its name"
    case .options: "options of the strategy that differ from the defaults, as KEY=VALUE;..."
    case .changes: "changed values of the scenario or the simulation, as PATH=VALUE;..."
    case .engine: "real (this machine's threads and clock) or virtual (the simulation)"
    case .cores: "number of processors for the run"
    case .repetition: "from 1"
    case .seed: "seed of all random numbers"
    case .refresh: "refresh rate of the screen"
    case .duration: "D, the measured duration; for an interrupted run, until the interruption"
    case .warmup: "frames before time 0; metrics include only their last image"
    }
  }
}

/// A column of a per-frame file, after the keys of the frame's run.
package struct FrameColumn: Sendable {
  package let name: String
  package let unit: Metric.Unit
  package let meaning: String
  /// The cell of a frame, given its number in the run.
  package let value: @Sendable (_ number: Int, _ frame: FrameRecord) -> MetricValue?

  init(
    _ name: String, _ unit: Metric.Unit, _ meaning: String,
    _ value: @escaping @Sendable (_ number: Int, _ frame: FrameRecord) -> MetricValue?
  ) {
    self.name = name
    self.unit = unit
    self.meaning = meaning
    self.value = value
  }

  package static let askedVsync = FrameColumn(
    "asked_vsync", .none,
    "i, the vsync that it was asked for, from which frame times count; b in a loop of frames"
  ) { .count($1.askedVsync) }
  package static let hangsBetween = FrameColumn(
    "hangs_between_ms", .none,
    "in a loop of events, turns of the queue of more than \(FrameThresholds.hang) between the previous frame and this one, "
      + "in milliseconds, with ; between them; the last frame has those behind it as well"
  ) { _, frame in
    frame.hangsBetween.isEmpty ? nil : .text(CellList.text(frame.hangsBetween.map(\.inCell)))
  }

  package static let parts = FrameColumn(
    "parts_ms", .none,
    "processor time of each part of drawing in it, as NAME=MILLISECONDS with ; between them; a part of render_ms"
  ) { _, frame in
    frame.parts.isEmpty
      ? nil : .text(CellList.text(settings: frame.parts.map { ($0.name, $0.span.inCell) }))
  }

  package static let partsWaiting = FrameColumn(
    "parts_waiting_ms", .milliseconds,
    "work of spread parts of drawing that waited for later frames when it ended; empty if none"
  ) { _, frame in frame.partsWaiting > .zero ? .real(frame.partsWaiting.inMilliseconds) : nil }

  package static let number = FrameColumn("frame", .count, "its number in the run, from 0") {
    number, _ in .count(number)
  }
  package static let beginVsync = FrameColumn(
    "begin_vsync", .none, "b, the vsync to which it belongs"
  ) {
    .count($1.beginVsync)
  }
  package static let dueVsync = FrameColumn(
    "due_vsync", .none, "b + d, the vsync that should have shown it"
  ) { .count($1.dueVsync) }
  package static let presentVsync = FrameColumn(
    "present_vsync", .none, "p, the vsync that showed it; one after the last vsync if none did"
  ) { .count($1.presentVsync) }
  package static let begin = FrameColumn(
    "begin_ns", .none, "when its work began, in nanoseconds since time 0"
  ) { .count(Int($1.begin.nanoseconds)) }
  package static let workEnd = FrameColumn(
    "work_end_ns", .none, "E, when its work on the main thread ended, in nanoseconds since time 0"
  ) { .count(Int($1.workEnd.nanoseconds)) }
  package static let ready = FrameColumn(
    "ready_ns", .none,
    "R, when the second stage had finished it, or E, in nanoseconds since time 0"
  ) { .count(Int($1.ready.nanoseconds)) }
  package static let lateVsyncs = FrameColumn(
    "late_vsyncs", .vsyncs, "p - b - d, the number of vsyncs by which it was shown too late"
  ) { .count($1.lateVsyncs) }
  package static let dropped = FrameColumn(
    "dropped_vsyncs", .vsyncs,
    "vsyncs right before p at which a frame was wanted and no new one was shown"
  ) { .count($1.dropped) }
  package static let cause = FrameColumn(
    "cause", .none, "cause for which it was not ready by vsync b + d; empty if it was"
  ) { ($1.cause?.name).map(MetricValue.text) }
  package static let beginCause = FrameColumn(
    "begin_cause", .none,
    "cause for which it began too late for dropped vsyncs before b + d; empty if there are none"
  ) { ($1.beginCause?.name).map(MetricValue.text) }
  package static let isStuffed = FrameColumn(
    "stuffed", .none, "1 if it had to wait for a buffer, else 0"
  ) { .count($1.isStuffed ? 1 : 0) }
  package static let isOnDemand = FrameColumn(
    "on_demand", .none, "1 if some vsyncs want no frame, else 0"
  ) { .count($1.isOnDemand ? 1 : 0) }
  package static let items = FrameColumn(
    "items", .count, "items of business logic, and results, that ran in it"
  ) { .count($1.items) }
  package static let queueDepth = FrameColumn(
    "queue_depth", .count, "items that waited after it had delivered the arrivals"
  ) { .count($1.queueDepth) }

  /// The time of the frame in `phase`.
  package static func span(_ phase: Phase) -> FrameColumn {
    FrameColumn("\(phase.name)_ms", .milliseconds, phase.meaning) { _, frame in
      .real(frame.spans[phase].inMilliseconds)
    }
  }

  /// The columns of every per-frame file.
  package static let first: [FrameColumn] =
    [
      number, beginVsync, presentVsync, begin, workEnd, lateVsyncs, cause, items, queueDepth,
    ] + [Phase.post, .logic, .drain, .release, .reads, .render, .lockWait, .wakeup].map(span)

  /// All columns; files of earlier versions lack the last ones.
  package static let all: [FrameColumn] =
    first + [Phase.preempted, .machine].map(span) + pipeline
    + Phase.allCases[Phase.compositor.rawValue...].map(span) + [askedVsync, hangsBetween]

  /// Columns about the way of a frame from the main thread to the screen.
  package static let pipeline: [FrameColumn] = [
    ready, dueVsync, dropped, beginCause, isStuffed, isOnDemand,
  ]
}
