import FrameBudget

extension ScreenCase {
  /// A small case over all keys.
  static func random(seed: UInt64) -> ScreenCase { drawn(seed: seed, ties: false) }

  /// The same with arrivals, and nearly all begins and ends of work, at quarters of a period.
  static func tied(seed: UInt64) -> ScreenCase { drawn(seed: seed, ties: true) }

  private static func drawn(seed: UInt64, ties: Bool) -> ScreenCase {
    var draw = ScreenDraw(seed: seed, ties: ties)
    var drawn = draw.screen()
    // From a stream of its own, so that all else stays as it was before there were these words.
    var words = RandomStream(seed: seed, name: "screen words")
    drawn.drawWords(&words)
    var parts = RandomStream(seed: seed, name: "screen parts")
    drawn.drawParts(&parts)
    var later = RandomStream(seed: seed, name: "screen later")
    drawn.drawLater(&later)
    var inputs = RandomStream(seed: seed, name: "screen inputs")
    drawn.drawInputs(&inputs)
    return drawn
  }
}

/// Draws a case. Spans are hundredths of its period, rounded to a grain, so that many events coincide in some cases.
private struct ScreenDraw {
  private var stream: RandomStream
  private let rate: (vsyncs: Int64, perSeconds: Int64)
  private let grain: Int64

  init(seed: UInt64, ties: Bool) {
    stream = RandomStream(seed: seed, name: "screen")
    let drawn: (Int64, Int64) = stream.pick([
      (60, 1), (60, 1), (100, 1), (100, 1), (120, 1), (90, 1), (60_000, 1001),
    ])
    rate = ties ? (100, 1) : drawn
    let drawnGrain: Int64 = stream.pick([1_000_000, 100_000, 1000, 1, 1])
    grain = ties ? 2_500_000 : drawnGrain
  }

  mutating func screen() -> ScreenCase {
    var drawn = ScreenCase(vsyncs: rate.vsyncs, perSeconds: rate.perSeconds, duration: 0)
    let vsyncs = stream.chance(80) ? stream.number(20...40) : stream.number(40...120)
    drawn.duration = drawn.instant(vsyncs)
    if stream.chance(30) { drawn.duration += span(1...90) }
    drawPipeline(&drawn)
    drawLoop(&drawn)
    drawn.lanes = stream.number(0...3)
    if stream.chance(60) { drawn.drain = stream.chance(20) ? 0 : span(1...40) }
    drawReads(&drawn)
    drawn.workloads = (0..<stream.number(0...3)).map { _ in workload(drawn) }
    if drawn.isOnDemand { drawn.requests = instants(stream.number(0...6), before: drawn.duration) }
    for index in drawn.workloads.indices {
      drawn.workloads[index].isTimer = stream.chance(25)
    }
    drawSharing(&drawn)
    return drawn
  }

  private mutating func span(_ hundredths: ClosedRange<Int>) -> Int64 {
    let most = 10_000_000 * rate.perSeconds / rate.vsyncs
    let span = Int64(stream.number(hundredths)) * most + Int64(stream.number(0...Int(most)))
    return max(grain, span / grain * grain)
  }

  private mutating func drawPipeline(_ drawn: inout ScreenCase) {
    drawn.render = span(stream.pick([3...30, 3...30, 20...80, 60...130, 100...250]))
    drawn.deadline = stream.pick([1, 1, 2, 2, 3, 4])
    if stream.chance(60) { drawn.buffers = drawn.deadline + stream.pick([0, 1, 1, 2]) }
    if stream.chance(60) { drawn.compositor = span(stream.pick([3...40, 20...90, 80...160])) }
  }

  private mutating func drawLoop(_ drawn: inout ScreenCase) {
    drawn.loop = stream.pick([.frame, .frame, .events, .events, .fifo, .alternate, .alternate])
    guard drawn.loop != .frame else { return }
    drawn.isQueued = stream.chance(50)
    drawn.isOnDemand = stream.chance(40)
    drawn.frameTime = stream.chance(50) ? .posted : .newest
    guard stream.chance(40) else { return }
    drawn.yield = Yield(
      every: stream.chance(50) ? nil : span(5...100), resumesFirst: stream.chance(30))
  }

  /// Reads the main thread's state, or snapshots of other lanes' state, but never both at once.
  private mutating func drawReads(_ drawn: inout ScreenCase) {
    let lanes = stream.chance(50) ? 0...0 : min(1, drawn.lanes)...drawn.lanes
    drawn.reads = (0..<stream.number(0...2)).map { _ in
      Read(lane: stream.number(lanes), cost: span(0...10))
    }
  }

  /// Lanes with several threads, and waits that occupy none; in the last draws, so that the others are as without.
  private mutating func drawSharing(_ drawn: inout ScreenCase) {
    for lane in 1..<max(1, drawn.lanes + 1) where stream.chance(4) && !drawn.publishes(lane) {
      drawn.widths[lane] = stream.number(2...3)
    }
    guard stream.chance(20) else { return }
    drawn.resources = (0..<stream.number(0...2)).map { _ in stream.number(1...2) }
    for workload in drawn.workloads.indices {
      for step in drawn.workloads[workload].steps.indices where stream.chance(40) {
        let isLimited = !drawn.resources.isEmpty && stream.chance(85)
        drawn.workloads[workload].steps[step].suspension = ScreenCase.Suspension(
          span: span(stream.pick([1...30, 20...200, 100...500])),
          resource: isLimited ? stream.number(0...(drawn.resources.count - 1)) : nil)
      }
    }
  }

  private typealias Read = ScreenCase.Read
  private typealias Yield = ScreenCase.Yield

  // MARK: Workloads

  private mutating func workload(_ drawn: ScreenCase) -> ScreenCase.Workload {
    let steps = (0..<stream.number(1...5)).map { step($0, drawn) }
    return ScreenCase.Workload(
      arrivals: arrivals(drawn), steps: steps, result: stream.chance(40) ? 0 : span(1...30),
      draws: drawn.isOnDemand && stream.chance(40))
  }

  private mutating func step(_ place: Int, _ drawn: ScreenCase) -> ScreenCase.Step {
    let cost = span(stream.pick([1...20, 1...20, 5...60, 5...60, 50...300]))
    return ScreenCase.Step(
      lane: stream.chance(45) ? 0 : stream.number(0...drawn.lanes), cost: cost,
      isFork: stream.chance(30), joins: place > 0 && stream.chance(25))
  }

  private mutating func arrivals(_ drawn: ScreenCase) -> [Int64] {
    let start = instants(1, before: drawn.duration)[0]
    let items = stream.number(1...8)
    switch stream.number(0...2) {
    case 0: return Array(repeating: start, count: items)
    case 1:
      let every = span(30...900)
      return (0..<Int64(items)).map { start + $0 * every }.filter { $0 < drawn.duration }
    default: return instants(items, before: drawn.duration)
    }
  }

  /// In order; some are at a vsync.
  private mutating func instants(_ count: Int, before end: Int64) -> [Int64] {
    let screen = ScreenCase(vsyncs: rate.vsyncs, perSeconds: rate.perSeconds, duration: end)
    return (0..<count).map { _ in
      let instant = Int64(stream.number(0...Int(end - 1)))
      return stream.chance(20)
        ? screen.instant(screen.vsync(atOrBefore: instant)) : instant / grain * grain
    }.sorted()
  }
}

extension ScreenCase {
  /// Answers, repeats and slices of steps, and results that are shown as one update.
  fileprivate mutating func drawWords(_ stream: inout RandomStream) {
    if drain == nil, stream.chance(40) { coalesces = true }
    for workload in workloads.indices {
      for step in workloads[workload].steps.indices {
        let cost = workloads[workload].steps[step].cost
        if stream.chance(10) {
          workloads[workload].steps[step].repeats = stream.number(2...5)
          workloads[workload].steps[step].cost = max(1, cost / 3)
        } else if stream.chance(yieldsOnMain ? 40 : 10),
          workloads[workload].steps[step].suspension == nil
        {
          let slice = max(100_000, cost / Int64(stream.number(2...6)))
          workloads[workload].steps[step].slice = slice
        }
      }
      if stream.chance(30) {
        let step = stream.number(0...workloads[workload].steps.count - 1)
        workloads[workload].steps[step].answers = true
      }
      if stream.chance(25) { workloads[workload].newest = newest(&stream) }
    }
  }

  /// Parts of drawing, most of them short, with a long one now and then.
  fileprivate mutating func drawParts(_ stream: inout RandomStream) {
    guard stream.chance(25) else { return }
    let period = Int(instant(1))
    parts = (0..<stream.number(1...2)).map { _ in
      Part(
        costs: (0..<stream.number(1...6)).map { _ in
          stream.chance(30)
            ? 0 : Int64(stream.number(1...(stream.chance(20) ? 2 * period : period / 4)))
        })
    }
    for part in parts.indices where stream.chance(60) {
      parts[part].early = stream.number(1...4)
      parts[part].isExact = stream.chance(50)
    }
    for part in parts.indices where stream.chance(50) {
      parts[part].unit = Int64(stream.number(max(100_000, period / 20)...period / 2))
    }
    // A part has one remedy.
    for part in parts.indices where stream.chance(20) {
      parts[part].early = 0
      parts[part].hits = stream.pick([20, 50, 80, 100])
    }
    for part in parts.indices where stream.chance(25) {
      parts[part] = Part(costs: parts[part].costs)
      parts[part].budget = Int64(stream.number(max(100_000, period / 20)...period / 2))
    }
    for part in parts.indices where lanes > 0 && stream.chance(40) {
      parts[part] = Part(costs: parts[part].costs)
      parts[part].lane = stream.number(1...lanes)
      parts[part].early = stream.number(0...3)
    }
  }

  /// Frames that are all shown later, as far as a screen may.
  fileprivate mutating func drawLater(_ stream: inout RandomStream) {
    let most = Pipeline.deadlines.upperBound - deadline
    if most > 0, stream.chance(25) { later = stream.number(1...most) }
  }

  /// Inputs, behind which other tasks wait for a frame. A loop with that takes one task a turn.
  fileprivate mutating func drawInputs(_ stream: inout RandomStream) {
    guard loop != .frame, !isQueued, !workloads.isEmpty, stream.chance(60) else { return }
    let period = Int(instant(1))
    deferral = stream.chance(30) ? Int64(3 * period) : Int64(stream.number(1...3 * period))
    for workload in workloads.indices { workloads[workload].isInput = stream.chance(60) }
  }

  private func newest(_ stream: inout RandomStream) -> Newest {
    let period = instant(1)
    let span = stream.chance(30) ? period : Int64(stream.number(1...Int(4 * period)))
    return stream.pick([.latest, .latest, .debounce(span), .throttle(span)])
  }
}
