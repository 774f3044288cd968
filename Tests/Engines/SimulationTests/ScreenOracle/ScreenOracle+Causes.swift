/// The dropped vsyncs and their causes, determined after the run.
extension ScreenOracle {
  /// Records the activity of the main thread, from its start.
  mutating func noteHold(_ work: Work) {
    var hold = ScreenOutcome.Hold(
      frame: frame, turn: turns, cause: .logic, begin: threads[0].began, end: now)
    switch work {
    case .step, .prepare: break
    case .awaitParts:
      hold.cause = fault == .preparedWaitIsDrawing ? .render : .lock
    case .result, .answer: hold.cause = .drain
    case .reads: hold.cause = .reads
    case .render, .ahead: hold.cause = .render
    }
    outcome.holds.append(hold)
  }

  consuming func judged() -> ScreenOutcome {
    now = drawn.duration
    let cut = frame.map { outcome.frames[$0].vsync }
    outcome.owed = zip(drawn.parts, owed).filter { $0.0.budget != nil }.map { _, owed in
      owed.filter { $0.vsync != cut }
    }
    if let work = threads[0].work, threads[0].began < now { noteHold(work) }
    if let event, frame == nil {
      // After the last vsync nothing begins, so the time after the delaying work does not count as waiting.
      let free = max(drawn.instant(outcome.lastVsync), outcome.holds.map(\.end).max() ?? 0)
      var unbegun = ScreenOutcome.Frame(vsync: event.vsync, begin: min(now, free))
      unbegun.isStuffed = isStuffed
      outcome.frames.append(unbegun)
    }
    for place in outcome.frames.indices { judge(place) }
    judgeItems()
    outcome.wanted = wanted
    let shown = Set(outcome.frames.compactMap(\.shown))
    for vsync in outcome.wanted where !shown.contains(vsync) {
      let drop = ScreenOutcome.Drop(vsync: vsync, cause: cause(ofDropping: vsync))
      outcome.drops.append(drop)
      if fault == .causeCountedTwice { outcome.drops.append(drop) }
    }
    if event != nil && frame == nil {
      outcome.unbegun = outcome.frames.removeLast()
    }
    return outcome
  }

  private var wanted: [Int] {
    let last = outcome.lastVsync
    guard drawn.isOnDemand else { return (0...last).filter { $0 >= deadline } }
    var wanted = Set<Int>()
    let late = deadline + (fault == .requestLate ? 1 : 0)
    for frame in outcome.frames {
      guard let request = frame.firstRequest else { continue }
      let end = min(frame.shown ?? last, last)
      wanted.formUnion((0...end).filter { $0 >= drawn.vsync(atOrAfter: request) + late })
    }
    if let request = (pending + [pendingRest].compactMap(\.self)).min() {
      wanted.formUnion((0...last).filter { $0 >= drawn.vsync(atOrAfter: request) + late })
    }
    return wanted.sorted()
  }

  // MARK: Frames

  private mutating func judge(_ place: Int) {
    let frame = outcome.frames[place]
    outcome.frames[place].spans = spans(of: place)
    let due = frame.vsync + (fault == .deadlineAtNextVsync ? 1 : deadline)
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
      } else {
        let part = max(0, min(hold.end, frame.begin) - max(hold.begin, vsync))
        spans[cause(ofWaitingFor: hold).rawValue] += part
        waited -= part
      }
    }
    spans[Cause.wakeup.rawValue] += waited
    if let end = frame.workEnd {
      let from = fault == .stageWaitForgotten ? frame.stageBegin ?? end : end
      spans[Cause.compositor.rawValue] = (frame.ready ?? now) - from
    }
    return spans
  }

  private func cause(ofWaitingFor hold: ScreenOutcome.Hold) -> Cause {
    switch fault {
    case .waitingChargedToRender: .render
    case .waitingForDrawingUncharged where hold.cause == .reads || hold.cause == .render: .wakeup
    default: hold.cause
    }
  }

  /// The first cause without which the frame would have been on time; otherwise, or if the end cut it off, the largest.
  private func ownCause(_ frame: ScreenOutcome.Frame) -> Cause {
    let due = drawn.instant(frame.vsync + deadline)
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
    if let next, vsync >= next.vsync + deadline { return ownCause(next) }
    // One delay for all that it cost.
    let before = outcome.frames.compactMap(\.shown).filter { $0 < vsync }.max() ?? -1
    let first = outcome.wanted.first { $0 > before } ?? vsync
    return cause(ofDelayingFrom: first - deadline, to: next?.begin ?? drawn.duration)
  }

  /// The reason why no frame began at `vsync`, until one began at `end`.
  private func cause(ofDelayingFrom vsync: Int, to end: Int64) -> Cause {
    if outcome.fullVsyncs.contains(vsync) { return .stuffed }
    let from = drawn.instant(vsync)
    var longest: (span: Int64, hold: ScreenOutcome.Hold)?
    for hold in outcome.holds where hold.end > from && hold.begin < end {
      let whole = outcome.holds.filter { $0.isOne(with: hold) }
      let span = whole.map { max(0, min($0.end, end) - max($0.begin, from)) }.reduce(0, +)
      if span > longest?.span ?? 0 { longest = (span, hold) }
    }
    guard let hold = longest?.hold else { return .wakeup }
    return hold.frame.map { causeOfFrame(outcome.frames[$0]) } ?? causeOfTask(hold)
  }

  private func causeOfTask(_ hold: ScreenOutcome.Hold) -> Cause {
    if hold.cause == .render { return .render }
    let own = outcome.holds.filter { $0.isOne(with: hold) }
    let logic = own.map { $0.cause == .logic ? $0.end - $0.begin : $0.begin - $0.end }
    return logic.reduce(0, +) >= 0 ? .logic : .drain
  }

  /// A frame occupies the main thread by its waiting and its work there, not by its second stage.
  private func causeOfFrame(_ frame: ScreenOutcome.Frame) -> Cause {
    var spans = frame.spans
    spans[Cause.compositor.rawValue] = 0
    return largest(spans)
  }
}
