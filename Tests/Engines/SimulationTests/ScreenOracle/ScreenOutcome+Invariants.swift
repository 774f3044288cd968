/// Invariants of every run, for all random cases.
extension ScreenOutcome {
  /// The broken invariants, in words; empty if all hold.
  func violations(of drawn: ScreenCase) -> [String] {
    ledger(drawn) + pipeline(drawn) + buffers(drawn) + mainThread(drawn) + steps(drawn)
  }

  private func ledger(_ drawn: ScreenCase) -> [String] {
    var broken: [String] = []
    if presented + drops.count != expected { broken.append("presented + dropped is not expected") }
    if Cause.allCases.map(drops(by:)).reduce(0, +) != drops.count {
      broken.append("causes do not add up")
    }
    if Set(droppedVsyncs).count != drops.count { broken.append("a vsync is dropped twice") }
    if wanted.contains(where: { $0 < drawn.due || $0 > lastVsync }) {
      broken.append("a vsync is wanted that no frame can be shown at")
    }
    if !drawn.isOnDemand && expected != max(0, lastVsync - drawn.due + 1) {
      broken.append("not every vsync is wanted")
    }
    return broken
  }

  /// The pipeline's formulas, which the simulation does not use.
  private func pipeline(_ drawn: ScreenCase) -> [String] {
    var broken: [String] = []
    var before = (ready: Int64(0), shown: drawn.due - 1)
    for (place, frame) in frames.enumerated() {
      guard let end = frame.workEnd, before.ready != .max else {
        if frame.shown != nil { broken.append("frame \(place) is shown and not ready") }
        before.ready = .max
        continue
      }
      let ready = drawn.compositor.map { max(end, before.ready) + $0 } ?? end
      if frame.ready != (ready <= drawn.duration ? ready : nil) {
        broken.append("frame \(place) is ready at \(frame.ready ?? -1), not \(ready)")
      }
      let shown = max(
        drawn.vsync(atOrAfter: ready), frame.vsync + drawn.due, before.shown + 1)
      if frame.shown != (shown <= lastVsync ? shown : nil) {
        broken.append("frame \(place) is shown at \(frame.shown ?? -1), not \(shown)")
      }
      before = (ready, shown)
    }
    return broken
  }

  private func buffers(_ drawn: ScreenCase) -> [String] {
    frames.enumerated().compactMap { place, frame in
      let before = frames.prefix(place)
      let inFlight = before.count { ($0.shown.map(drawn.instant) ?? .max) > frame.begin }
      if inFlight >= drawn.room { return "frame \(place) begins with \(inFlight) in flight" }
      let isOrdered = before.allSatisfy { $0.vsync < frame.vsync && $0.begin < frame.begin }
      return isOrdered ? nil : "frame \(place) is out of order"
    }
  }

  private func mainThread(_ drawn: ScreenCase) -> [String] {
    var broken: [String] = []
    for (before, hold) in zip(holds, holds.dropFirst()) where hold.begin < before.end {
      broken.append("the main thread does two things at \(hold.begin)")
    }
    for (place, frame) in frames.enumerated() {
      let waited = frame.begin - drawn.instant(frame.vsync)
      if waited < 0 { broken.append("frame \(place) begins before its vsync") }
      if drawn.loop == .frame && waited != 0 { broken.append("frame \(place) waited") }
      if frame.spans[Cause.wakeup.rawValue] != 0 { broken.append("frame \(place) slept") }
      if drawn.frameTime == .newest && drawn.vsync(atOrBefore: frame.begin) != frame.vsync {
        broken.append("frame \(place) is not of the newest vsync")
      }
      guard let ready = frame.ready else { continue }
      if frame.spans.reduce(0, +) != ready - drawn.instant(frame.vsync) {
        broken.append("the spans of frame \(place) do not add up")
      }
    }
    return broken
  }

  private func steps(_ drawn: ScreenCase) -> [String] {
    var broken: [String] = []
    let preparing = Set(drawn.parts.compactMap(\.lane))
    for lane in 1..<max(1, drawn.lanes + 1)
    where drawn.width(lane) == 1 && !preparing.contains(lane) {
      var isFree: Int64 = 0
      for run in runs where run.lane == lane {
        let begin = max(run.posted ?? isFree, isFree)
        if run.begin != begin { broken.append("lane \(lane) begins at \(run.begin), not \(begin)") }
        isFree = run.end ?? .max
      }
    }
    var byItem = Array(repeating: [Run](), count: items.count)
    for run in runs { byItem[run.item].append(run) }
    for (item, own) in byItem.enumerated() {
      let steps = drawn.workloads[items[item].workload].steps
      broken += own.flatMap { run in
        own.filter { $0.step < run.step }.compactMap { before in
          let isAwaited = !steps[before.step].isFork || steps[run.step].joins
          let wait = steps[before.step].suspension?.span ?? 0
          let isOver = before.end.map { $0 + wait <= run.begin } ?? false
          return isAwaited && !isOver ? "step \(run.step) of item \(item) did not wait" : nil
        }
      }
      if let done = items[item].done,
        own.count < steps.count
          || own.contains(where: { run in
            run.end.map { $0 + (steps[run.step].suspension?.span ?? 0) > done } ?? true
          })
      {
        broken.append("item \(item) is done before its steps are")
      }
    }
    return broken
  }
}
