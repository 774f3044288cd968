/// The screen: vsyncs, the second stage, buffers, requests.
extension ScreenOracle {
  mutating func beVsync(_ vsync: Int) {
    vsyncAt = now
    show(at: vsync)
    guard vsync < outcome.lastVsync else { return }
    let isFull = !hasRoom(at: vsync)
    if isFull { outcome.fullVsyncs.append(vsync) }
    if drawn.loop == .frame {
      if frame == nil && isFull { wasFull = true }
    } else if event == nil && isWanted(at: vsync) && !(isKept && frame != nil) {
      asked = asked ?? vsync
      if isFull { wasFull = true } else { event = (vsync, now) }
    }
  }

  /// Whether frames keep the vsync that posted their event, so that one is posted behind the frame before.
  private var isKept: Bool { drawn.frameTime == .posted && readings.catchesUp == .behind }

  /// Shows the oldest frame that has not been, if it is ready and due.
  private mutating func show(at vsync: Int) {
    while let place = inFlight.first, isShown(outcome.frames[place], at: vsync) {
      outcome.frames[place].shown = vsync
      inFlight.removeFirst()
      if fault != .twoAtOneVsync { return }
    }
  }

  private func isShown(_ frame: ScreenOutcome.Frame, at vsync: Int) -> Bool {
    guard let ready = frame.ready else { return false }
    if fault == .readyAtVsyncIsLate && ready == now { return false }
    return vsync >= frame.vsync + deadline || fault == .shownEarly && vsync > frame.vsync
  }

  func hasRoom(at vsync: Int) -> Bool {
    var taken = inFlight.count
    if fault == .bufferFreedLate { taken += outcome.frames.count { $0.shown == vsync } }
    return taken < room + (fault == .bufferTooMany ? 1 : 0)
  }

  /// Whether a frame is wanted that has not begun, by vsyncs up to this one.
  private func isWanted(at vsync: Int) -> Bool {
    guard drawn.isOnDemand else { return true }
    return (pending + [pendingRest].compactMap(\.self)).contains { $0 <= drawn.instant(vsync) }
  }

  mutating func request() {
    guard drawn.isOnDemand, fault != .requestLost || frame == nil else { return }
    // No rule says whether a vsync sees a request that a task of no length makes at its instant.
    if vsyncAt == now { outcome.isAmbiguous = true }
    pending.append(now)
  }

  mutating func requestRest() {
    guard drawn.isOnDemand, fault != .restNotRequested, pendingRest == nil else { return }
    if vsyncAt == now { outcome.isAmbiguous = true }
    pendingRest = now
  }

  /// Behind a frame that ended after a newer vsync that wants one, that vsync's event is posted at once.
  mutating func catchUp() {
    guard let place = justEnded else { return }
    justEnded = nil
    guard drawn.loop != .frame, drawn.frameTime == .posted, fault != .noCatchingUp else { return }
    let late = outcome.frames[place].vsync
    let newest = drawn.vsync(atOrBefore: now)
    guard newest > late, newest < outcome.lastVsync else { return }
    if event != nil && readings.catchesUp == .newestAlways { event?.vsync = newest }
    guard event == nil, isWanted(at: newest) else { return }
    asked = asked ?? newest
    guard hasRoom(at: newest) else {
      wasFull = true
      return
    }
    event = (readings.catchesUp == .next ? late + 1 : newest, now)
  }

  mutating func beginStage(_ frame: Int) {
    guard let span = drawn.compositor else { return }
    outcome.frames[frame].stageBegin = now
    onStage.append((frame, now + span))
  }
}
