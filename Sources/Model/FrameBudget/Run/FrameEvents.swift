/// When a main loop of events posts the event of a frame, and which vsync that frame belongs to: the rules of
/// `MainLoop.Events`, shared by both engines.
///
/// A vsync that wants a frame posts one event, unless one is waiting. If no buffer is free, the event is posted at the vsync
/// that frees one.
public struct FrameEvents: Sendable {
  private let refresh: RefreshRate
  private let deadline: Int
  private let frameTime: MainLoop.Events.FrameTime
  /// On demand, the vsyncs at which wanted frames begin, in order; nil if every vsync wants a frame.
  private var requests: [Int]?
  /// On demand, the vsync from which a frame is wanted for what earlier frames put off.
  private var continued: Int?
  /// Whether the newest frame was requested for more than that.
  private(set) var bringsNew = true
  /// The vsync of the newest frame, and the time at which it left the main thread.
  private var begun = -1
  private var ended = Instant(nanoseconds: .min)

  /// Creates the frame events of a run.
  init(_ display: Display, _ loop: MainLoop.Events) {
    refresh = display.refresh
    deadline = display.pipeline.deadline
    frameTime = loop.frameTime
    if case .onDemand(let instants) = display.frames {
      requests = []
      for instant in instants { request(at: .zero + instant) }
    }
  }

  /// The event of a frame.
  public struct Event: Hashable, Sendable {
    /// The vsync that posts it.
    public let vsync: Int
    /// When it is posted; after a late frame that may be later than the vsync.
    public let posted: Instant
    /// Whether it was delayed because no buffer was free.
    let isStuffed: Bool
    /// The first vsync at which the frame is wanted on the screen; 0 means the one after the previous frame.
    let wanted: Int
    /// `i`, the vsync that it was asked for, before it waited for a buffer or the main thread.
    let asked: Int
  }

  /// Records that a frame that ends at `instant` puts work off, which on demand requests a frame, unless such a request waits.
  mutating func requestRest(at instant: Instant) {
    if isOnDemand, continued == nil { continued = refresh.firstVsync(atOrAfter: instant) }
  }

  /// Records a request for a frame at the first vsync at or after `instant`.
  mutating func request(at instant: Instant) {
    guard var all = requests else { return }
    let vsync = refresh.firstVsync(atOrAfter: instant)
    // Searched from the end, because it is usually the newest one.
    var index = all.count
    while index > 0, all[index - 1] > vsync { index -= 1 }
    if index > 0, all[index - 1] == vsync { return }
    requests = nil
    all.insert(vsync, at: index)
    requests = all
  }

  /// The next event, if a buffer is free from vsync `free`; nil if no frame is requested.
  func next(freeFrom free: Int) -> Event? {
    let first: Int
    if let requests {
      // Without an array, because an idle loop asks often.
      first = min(requests.first ?? .max, continued ?? .max)
      if first == .max { return nil }
    } else {
      first = begun + 1
    }
    var vsync = max(first, begun + 1)
    var posted = Instant(nanoseconds: .min)
    if frameTime == .posted, refresh.vsync(vsync) <= ended {
      // The newest vsync that passed during a frame; its event is posted when that frame ends.
      vsync = refresh.vsyncs(through: ended)
      posted = ended
    }
    return Event(
      vsync: max(vsync, free), posted: max(refresh.vsync(max(vsync, free)), posted),
      isStuffed: free > vsync, wanted: requests == nil ? 0 : first + deadline, asked: vsync)
  }

  /// The vsyncs of the next frames, at most `count`, if the next one is that of `first`. On demand, as far as requests are known.
  func upcoming(_ count: Int, from first: Int) -> [Int] {
    guard let requests else { return Array(first..<first + count) }
    let later = requests.lazy.filter { $0 > first }.prefix(count - 1)
    guard let continued, continued > first, !later.contains(continued) else {
      return [first] + later
    }
    return Array(([first] + later + [continued]).sorted().prefix(count))
  }

  /// The vsyncs of the frames behind the newest one, at most `count`; on demand, as far as requests are known.
  func following(_ count: Int) -> [Int] {
    if count == 0 { return [] }
    guard let requests else { return upcoming(count, from: begun + 1) }
    let first = min(requests.first ?? .max, continued ?? .max)
    return first == .max ? [] : upcoming(count, from: first)
  }

  /// Whether a request may come at any time.
  var isOnDemand: Bool { requests != nil }

  /// Whether a frame that has not begun is wanted at the first vsync at or after `now`, or was wanted before.
  func wantsFrame(at now: Instant) -> Bool {
    guard let requests else { return true }
    return min(requests.first ?? .max, continued ?? .max) <= refresh.firstVsync(atOrAfter: now)
  }

  /// Begins the frame of `event`; returns the vsync to which it belongs. The frame serves all requests up to then.
  mutating func begin(_ event: Event, at instant: Instant) -> Int {
    begun = frameTime == .posted ? event.vsync : refresh.vsyncs(through: instant)
    bringsNew = requests?.contains { $0 <= begun } ?? true
    if let vsync = continued, vsync <= begun { continued = nil }
    requests?.removeAll { $0 <= begun }
    return begun
  }

  /// Records that the newest frame has left the main thread.
  mutating func ended(at instant: Instant) { ended = instant }
}

/// The work of a main loop since it was last idle: it is charged to frames that waited meanwhile, and gives the cause of their
/// wait.
struct BusyTime: Sendable {
  /// Whether a frame that begins after an idle time was delayed by it, as in a loop of events; a loop of frames is idle up to the
  /// next vsync.
  let countsIdle: Bool
  private var spans: [(phase: Phase, from: Instant, to: Instant)] = []
  /// Frames and other events, with their times and causes.
  private var events: [(from: Instant, to: Instant, cause: Cause)] = []

  init(countsIdle: Bool) { self.countsIdle = countsIdle }

  var isEmpty: Bool { spans.isEmpty && events.isEmpty }

  /// Records work of the thread, between two frames or within one.
  mutating func ran(_ phase: Phase, from: Instant, to: Instant) {
    if to > from { spans.append((phase, from, to)) }
  }

  /// Records the end of a frame or another event; by default its cause is the phase that took most of it.
  mutating func ended(from: Instant, to: Instant, by cause: Cause? = nil) {
    events.append((from, to, cause ?? Cause.largest(sums(from: from, to: to))))
  }

  /// The duration of the newest of them if it ended at `instant`; otherwise zero.
  func newestSpan(endingAt instant: Instant) -> TimeSpan {
    events.last.map { $0.to == instant ? $0.to - $0.from : .zero } ?? .zero
  }

  /// When the newest of them ended.
  var end: Instant { events.last?.to ?? Instant(nanoseconds: .min) }

  /// Ends at `now` the current event, which has been in `phase` since `since`.
  mutating func cut(_ phase: Phase, since: Instant, at now: Instant) {
    guard since < now else { return }
    ran(phase, from: since, to: now)
    let free = end
    ended(from: spans.first { $0.from >= free }?.from ?? since, to: now)
  }

  /// The work of the thread between two instants, by phase.
  private func sums(from: Instant, to: Instant) -> PhaseSpans {
    var sums = PhaseSpans()
    for span in spans.reversed() {
      guard span.to > from else { break }
      let part = min(span.to, to) - max(span.from, from)
      if part > .zero { sums[span.phase] += part }
    }
    return sums
  }

  /// Records that the thread is idle, so later frames have not waited. Frames that are not ready may have waited for events.
  mutating func noteIdle() { spans.removeAll(keepingCapacity: true) }

  /// Forgets work that later frames cannot have waited for.
  mutating func forget(endedBy instant: Instant) {
    spans.removeAll { $0.to <= instant }
    events.removeAll { $0.to <= instant }
  }

  /// The cause of the longest single event between two instants: a frame or another event, or a late wake-up if the app did
  /// nothing. The first among equal ones. An event lasts beyond the second instant only if the run ended during it.
  func longest(from: Instant, to: Instant) -> Cause {
    var longest = (span: TimeSpan.zero, cause: Cause.wakeup)
    var free = from
    for event in events where event.to > from && event.from < to {
      let idle = countsIdle ? event.from - free : .zero
      for (span, cause) in [
        (idle, .wakeup), (min(event.to, to) - max(event.from, from), event.cause),
      ] where span > longest.span { longest = (span, cause) }
      free = event.to
    }
    return countsIdle && to - free > longest.span ? .wakeup : longest.cause
  }

  /// Charges `frame`, which waited from its vsync to `begin`, with the work meanwhile; the rest is a late wake-up.
  func charge(_ frame: inout OpenFrame, until begin: Instant) {
    let sums = sums(from: frame.due, to: begin)
    for phase in Phase.allCases where sums[phase] > .zero {
      frame.spend(sums[phase], on: phase)
      frame.spend(.zero - sums[phase], on: .wakeup)
    }
  }
}
