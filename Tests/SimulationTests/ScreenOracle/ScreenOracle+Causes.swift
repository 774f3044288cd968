/// What was dropped, and why: worked out when the run is over.
extension ScreenOracle {
  /// Notes what the main thread was at since it began with it.
  mutating func noteHold(_ work: Work) {
    var hold = ScreenOutcome.Hold(
      frame: frame, cause: .logic, begin: threads[0].began, end: now)
    switch work {
    case .step(let item, _, _, _): hold.item = item
    case .result(let item):
      hold.item = item
      hold.cause = .drain
    case .reads: hold.cause = .reads
    case .render: hold.cause = .render
    }
    outcome.holds.append(hold)
  }

  consuming func judged() -> ScreenOutcome {
    now = drawn.duration
    if let work = threads[0].work, threads[0].began < now { noteHold(work) }
    for place in outcome.frames.indices { judge(place) }
    for item in items.indices {
      outcome.items[item].shown = items[item].frame.flatMap { outcome.frames[$0].shown }
    }
    outcome.wanted = wanted
    let shown = Set(outcome.frames.compactMap(\.shown))
    for vsync in outcome.wanted where !shown.contains(vsync) {
      let drop = ScreenOutcome.Drop(vsync: vsync, cause: cause(ofDropping: vsync))
      outcome.drops.append(drop)
      if fault == .causeCountedTwice { outcome.drops.append(drop) }
    }
    return outcome
  }

  private var wanted: [Int] {
    let last = outcome.lastVsync
    guard drawn.isOnDemand else { return (0...last).filter { $0 >= drawn.deadline } }
    var wanted = Set<Int>()
    let late = drawn.deadline + (fault == .requestLate ? 1 : 0)
    for frame in outcome.frames {
      guard let request = frame.firstRequest else { continue }
      let end = min(frame.shown ?? last, last)
      wanted.formUnion((0...end).filter { $0 >= drawn.vsync(atOrAfter: request) + late })
    }
    if let request = pending.min() {
      wanted.formUnion((0...last).filter { $0 >= drawn.vsync(atOrAfter: request) + late })
    }
    return wanted.sorted()
  }

  // MARK: Frames

  private mutating func judge(_ place: Int) {
    let frame = outcome.frames[place]
    outcome.frames[place].spans = spans(of: place)
    let due = frame.vsync + (fault == .deadlineAtNextVsync ? 1 : drawn.deadline)
    guard due <= outcome.lastVsync, (frame.ready ?? .max) > drawn.instant(due) else { return }
    outcome.frames[place].missedDeadline = true
    outcome.frames[place].cause = ownCause(outcome.frames[place])
  }

  /// By cause, the time from V(b) to R.
  private func spans(of place: Int) -> [Int64] {
    let frame = outcome.frames[place]
    let vsync = drawn.instant(frame.vsync)
    var spans = Array(repeating: Int64(0), count: Cause.allCases.count)
    var waited = frame.begin - vsync
    for hold in outcome.holds where hold.begin >= vsync || hold.end > vsync {
      if hold.frame == place {
        spans[hold.cause.rawValue] += hold.end - hold.begin
      } else if hold.cause == .logic || hold.cause == .drain {
        let part = max(0, min(hold.end, frame.begin) - max(hold.begin, vsync))
        let cause = fault == .waitingChargedToRender ? .render : hold.cause
        spans[cause.rawValue] += part
        waited -= part
      }
    }
    spans[(fault == .waitingChargedToRender ? Cause.render : .wakeup).rawValue] += waited
    if let end = frame.workEnd {
      let from = fault == .stageWaitForgotten ? frame.stageBegin ?? end : end
      spans[Cause.compositor.rawValue] = (frame.ready ?? now) - from
    }
    return spans
  }

  /// The first without which the frame would have been on time; else, or if the end cut it off, the largest.
  private func ownCause(_ frame: ScreenOutcome.Frame) -> Cause {
    let due = drawn.instant(frame.vsync + drawn.deadline)
    let first = frame.ready.flatMap { ready in
      Cause.allCases.first { ready - frame.spans[$0.rawValue] <= due }
    }
    return first ?? largest(frame.spans)
  }

  private func largest(_ spans: [Int64]) -> Cause {
    let most = spans.max() ?? 0
    return Cause.allCases.first { spans[$0.rawValue] == most } ?? .wakeup
  }

  // MARK: Dropped vsyncs

  private func cause(ofDropping vsync: Int) -> Cause {
    let next = outcome.frames.first { ($0.shown ?? .max) > vsync }
    if let next, vsync >= next.vsync + drawn.deadline { return ownCause(next) }
    return cause(
      ofDelayingFrom: vsync - drawn.deadline, to: next?.begin ?? drawn.duration)
  }

  /// What kept a frame from beginning at `vsync`, until one began at `end`.
  private func cause(ofDelayingFrom vsync: Int, to end: Int64) -> Cause {
    if outcome.fullVsyncs.contains(vsync) { return .stuffed }
    let from = drawn.instant(vsync)
    var byFrame = Array(repeating: Int64(0), count: outcome.frames.count)
    var byItem = Array(repeating: Int64(0), count: items.count)
    for hold in outcome.holds {
      let part = max(0, min(hold.end, end) - max(hold.begin, from))
      if let frame = hold.frame {
        byFrame[frame] += part
      } else if let item = hold.item {
        byItem[item] += part
      }
    }
    let longest = max(byFrame.max() ?? 0, byItem.max() ?? 0)
    guard longest > 0 else { return .wakeup }
    if let item = byItem.firstIndex(of: longest) { return causeOfItem(item, from, end) }
    return byFrame.firstIndex(of: longest).map { causeOfFrame(outcome.frames[$0]) } ?? .wakeup
  }

  private func causeOfItem(_ item: Int, _ from: Int64, _ end: Int64) -> Cause {
    var logic: Int64 = 0
    for hold in outcome.holds where hold.item == item && hold.frame == nil {
      let part = max(0, min(hold.end, end) - max(hold.begin, from))
      logic += hold.cause == .logic ? part : -part
    }
    return logic >= 0 ? .logic : .drain
  }

  /// A frame holds the main thread by what it does there, not by its second stage.
  private func causeOfFrame(_ frame: ScreenOutcome.Frame) -> Cause {
    if let cause = frame.cause { return cause }
    var spans = frame.spans
    spans[Cause.compositor.rawValue] = 0
    return largest(spans)
  }
}
