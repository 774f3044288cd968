import FrameBudget

/// Parts of drawing that run before their frames begin.
extension ScreenOracle {
  /// The pieces that the frame of `vsync` has to run; those that are ready are used up.
  mutating func takeParts(of vsync: Int, _ needsParts: Bool) -> [(part: Int, cost: Int64)] {
    drawn.parts.indices.flatMap { part in
      if drawn.parts[part].budget != nil { return takeSpread(part, of: vsync, needsParts) }
      if drawn.parts[part].lane != nil, fault != .preparedOnMain { return [] }
      let ready = fault == .aheadRunsAgain ? 0 : partsReady[part][vsync] ?? 0
      partsReady[part] = partsReady[part].filter { $0.key > vsync }
      return pieces(of: part, at: vsync).dropFirst(ready).map { (part, $0) }
    }
  }

  /// What the frame of `vsync` runs of a part that is spread.
  private mutating func takeSpread(
    _ part: Int, of vsync: Int, _ needsParts: Bool
  ) -> [(part: Int, cost: Int64)] {
    let cost = needsParts ? drawn.parts[part].cost(vsync) : 0
    if cost > 0 { owed[part].append(.init(vsync: vsync, left: cost)) }
    let all = owed[part].reduce(0) { $0 + $1.left }
    let budget = fault == .spreadUnlimited ? all : drawn.parts[part].budget ?? all
    restRuns[part] = min(all, budget)
    return restRuns[part] > 0 ? [(part, restRuns[part])] : []
  }

  /// The drawing of a frame has ended: what it ran is done, and what is left is for later ones.
  mutating func putOff(_ place: Int) {
    for part in drawn.parts.indices where drawn.parts[part].budget != nil {
      let order = Array(owed[part].indices)
      for entry in fault == .restNewestFirst ? order.reversed() : order
      where owed[part][entry].left > 0 {
        let ran = min(owed[part][entry].left, restRuns[part])
        restRuns[part] -= ran
        owed[part][entry].left -= ran
        if owed[part][entry].left == 0 { owed[part][entry].done = outcome.frames[place].vsync }
      }
      if fault == .restForgotten { owed[part].removeAll { $0.left > 0 } }
    }
    outcome.frames[place].isIncomplete = owed.joined().contains { $0.left > 0 }
    if outcome.frames[place].isIncomplete { requestRest() }
  }

  /// What a part runs in a frame: as many of its units as there are, then the rest.
  private func pieces(of place: Int, at vsync: Int) -> [Int64] {
    let part = drawn.parts[place]
    let cost = isCached(place, vsync) ? 0 : part.cost(vsync)
    guard let unit = part.unit, fault != .unitForgotten else { return cost > 0 ? [cost] : [] }
    let pieces = stride(from: 0, to: cost, by: Int64.Stride(unit)).map { min(unit, cost - $0) }
    return fault == .restFirst ? pieces.reversed() : pieces
  }

  /// Whether the frame of `vsync` finds a part in the cache: the vsync decides alone, in a stream with the part's name.
  private func isCached(_ place: Int, _ vsync: Int) -> Bool {
    guard drawn.parts[place].hits > 0, fault != .cacheForgotten else { return false }
    let name = "ui/frame/part-\(fault == .cacheShared ? 0 : place)/cache"
    let index = fault == .cacheByCount ? outcome.frames.count : vsync
    var stream = RandomStream(seed: 1, name: name, index: index)
    return stream.unit() * 100 < Double(drawn.parts[place].hits)
  }

  /// Hands parts of drawing to their lanes: those of the frame of `vsync`, which begins, and of the next known ones.
  mutating func handOverParts(of vsync: Int) {
    let later = framesFrom(vsync + 1, isWanted: !drawn.isOnDemand)
    for (number, vsync) in ([vsync] + later).enumerated() {
      for (place, part) in drawn.parts.enumerated() {
        let frames = part.early + (fault == .preparedTooEarly ? 1 : 0)
        guard let lane = part.lane, number <= frames, part.cost(vsync) > 0 else { continue }
        let isNew = handedOver[place].insert(vsync).inserted
        if isNew || fault == .preparedAgain { post(.part(place, vsync: vsync), to: lane, from: 0) }
      }
    }
  }

  /// Whether lanes have prepared what the frame of `vsync` draws.
  func isPrepared(_ vsync: Int) -> Bool {
    fault == .preparedNotAwaited
      || drawn.parts.indices.allSatisfy {
        !handedOver[$0].contains(vsync) || prepared[$0].contains(vsync)
      }
  }

  /// A lane has prepared a part, for which the main thread may wait.
  mutating func endPreparation(of part: Int, _ vsync: Int) {
    prepared[part].insert(vsync)
    if case .awaitParts(let awaited) = threads[0].work, isPrepared(awaited) {
      threads[0].until = now
    }
  }

  /// The main thread has nothing to do. Returns whether it runs a part of a later frame.
  mutating func drawAhead() -> Bool {
    guard frame == nil, event == nil, let next = nextFrame else { return false }
    // On demand, any vsync may want a frame by the time that it comes.
    let isUntilVsync = drawn.isOnDemand && fault != .aheadUntilFrame
    let end = isUntilVsync ? drawn.vsync(atOrBefore: now) + 1 : next
    let time = drawn.instant(end) - now
    for (number, vsync) in framesFrom(next, isWanted: true).enumerated() {
      for (place, part) in drawn.parts.enumerated() where isAllowed(part, number) {
        let left = pieces(of: place, at: vsync).dropFirst(partsReady[place][vsync] ?? 0)
        guard let cost = left.first else { continue }
        let expected = part.isExact ? cost : self.expected[place] ?? 0
        let fits = fault == .aheadAlwaysFits || expected <= time
        guard fits else { continue }
        turns += 1
        begin(.ahead(part: place, vsync: vsync, cost: cost), on: 0, for: cost)
        return true
      }
    }
    return false
  }

  /// The vsyncs of the next frames: on demand, those that are known to be wanted, and `next`, if it is one.
  private func framesFrom(_ next: Int, isWanted: Bool) -> [Int] {
    guard drawn.isOnDemand, fault != .aheadOfVsyncs else { return Array(next..<next + 10) }
    let wanted = wantedVsyncs
    return (isWanted || wanted.contains(next) ? [next] : []) + wanted.filter { $0 > next }
  }

  /// On demand: the vsyncs that are wanted by requests which are not served, those in the file from the start.
  private var wantedVsyncs: [Int] {
    let known = pending + [pendingRest].compactMap(\.self) + drawn.requests[nextRequest...]
    return Set(known.map(drawn.vsync(atOrAfter:))).sorted()
  }

  private func isAllowed(_ part: ScreenCase.Part, _ frames: Int) -> Bool {
    if part.lane != nil { return false }
    return fault == .aheadTooEarly && part.early > 0 ? frames <= part.early : frames < part.early
  }

  mutating func endAhead(_ part: Int, _ vsync: Int, _ cost: Int64) {
    partsReady[part][vsync, default: 0] += 1
    learn(part, cost)
  }

  /// A mean in which the newest cost counts an eighth.
  mutating func learn(_ part: Int, _ cost: Int64) {
    let mean = expected[part] ?? cost
    expected[part] = fault == .aheadForgets ? cost : mean + (cost - mean) / 8
  }

  /// The vsync at which the next frame begins, or its event is posted, as far as that is known: the first with a free buffer that
  /// wants a frame, or from which one is wanted. Nil while all buffers wait for the second stage, and at the end.
  private var nextFrame: Int? {
    var left = inFlight
    guard left.count(where: { outcome.frames[$0].ready == nil }) < room,
      let wanted = drawn.isOnDemand ? wantedVsyncs.first : 0
    else { return nil }
    var vsync = drawn.vsync(atOrBefore: now) + 1
    while vsync < outcome.lastVsync {
      if let first = left.first, let ready = outcome.frames[first].ready,
        ready <= drawn.instant(vsync), vsync >= outcome.frames[first].vsync + deadline
      {
        left.removeFirst()
      }
      if vsync >= wanted, left.count < room { return vsync }
      vsync += 1
    }
    return nil
  }
}
