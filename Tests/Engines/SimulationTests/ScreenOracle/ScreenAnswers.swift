import Testing

/// The expected answers, calculated by hand for 60 Hz and ten milliseconds of drawing unless stated otherwise.
struct ScreenAnswer: Sendable, CustomTestStringConvertible {
  var name: String
  var drawn: ScreenCase
  /// The dropped vsyncs, if the answer states them; otherwise their number.
  var dropped: [Int]?
  var drops: Int?
  var missed: Int?
  var stuffed: Int?
  /// By the vsync of a frame, the one that shows it.
  var shown: [Int: Int] = [:]
  /// By the vsync of a frame, when it begins.
  var begins: [Int: Int64] = [:]
  /// The vsyncs from each shown frame's own vsync to the one that shows it.
  var present: Int?
  var expected: Int?

  var testDescription: String { name }

  /// The differences of `outcome`, in words.
  func differences(_ outcome: ScreenOutcome) -> [String] {
    var differences: [String] = []
    func expect<Value: Equatable>(_ name: String, _ value: Value, _ answer: Value?) {
      guard let answer, answer != value else { return }
      differences.append("\(self.name): \(name) \(value), not \(answer)")
    }
    expect("dropped", outcome.droppedVsyncs, dropped)
    expect("drops", outcome.drops.count, drops ?? dropped?.count)
    expect("missed", outcome.missed, missed)
    expect("stuffed", outcome.stuffed, stuffed)
    expect("expected", outcome.expected, expected)
    for (vsync, answer) in shown.sorted(by: { $0.key < $1.key }) {
      expect("frame \(vsync)", outcome.frames.first { $0.vsync == vsync }?.shown ?? -1, answer)
    }
    for (vsync, answer) in begins {
      expect("begin \(vsync)", outcome.frames.first { $0.vsync == vsync }?.begin ?? -1, answer)
    }
    let spans = Set(outcome.frames.compactMap { frame in frame.shown.map { $0 - frame.vsync } })
    expect("present", spans.sorted(), present.map { [$0] })
    return differences
  }
}

extension ScreenAnswer {
  private static let ms: Int64 = 1_000_000

  private static func screen(
    _ vsyncs: Int, render: Int64 = 10, deadline: Int = 1, buffers: Int? = nil,
    compositor: Int64? = nil, loop: ScreenCase.Loop = .frame,
    frameTime: ScreenCase.FrameTime = .newest
  ) -> ScreenCase {
    ScreenCase(
      duration: Int64(vsyncs) * 1_000_000_000 / 60, render: render * ms, deadline: deadline,
      buffers: buffers, compositor: compositor.map { $0 * ms }, loop: loop, frameTime: frameTime)
  }

  /// Items of one step on the main thread, at the given time after each of `vsyncs`.
  private static func items(
    _ length: Int64, at vsyncs: [Int], after delay: Int64 = 0, _ drawn: ScreenCase
  ) -> ScreenCase {
    var drawn = drawn
    drawn.workloads.append(
      .init(
        arrivals: vsyncs.map { drawn.instant($0) + delay * ms }, steps: [.init(cost: length * ms)]))
    return drawn
  }

  private static func onDemand(_ requests: [Int64], _ drawn: ScreenCase) -> ScreenCase {
    var drawn = drawn
    drawn.isOnDemand = true
    drawn.loop = .events
    drawn.requests = requests.map { $0 * ms }
    return drawn
  }

  static let all = blocks + stages + late + items + demand + batches + deferrals

  private static func block(_ drawn: ScreenCase) -> ScreenCase { items(30, at: [10], drawn) }

  private static let blocks: [ScreenAnswer] = [
    .init(
      name: "block, frame, d1", drawn: block(screen(20)), dropped: [11, 12], shown: [10: 13]),
    .init(
      name: "block, frame, d2 b2", drawn: block(screen(20, deadline: 2)), dropped: [12, 14],
      shown: [9: 11, 10: 13, 13: 15]),
    .init(
      name: "block, newest, d1", drawn: block(screen(20, loop: .events)), dropped: [12],
      begins: [12: 206_666_666]),
    .init(
      name: "block, newest, d2", drawn: block(screen(20, deadline: 2, loop: .events)),
      dropped: [13], begins: [12: 206_666_666]),
    .init(
      name: "block, posted, d1",
      drawn: block(screen(20, loop: .events, frameTime: .posted)), dropped: [12]),
    .init(
      name: "block, posted, d2",
      drawn: block(screen(20, deadline: 2, loop: .events, frameTime: .posted)), dropped: [14]),
    .init(
      name: "block, newest, d2, compositor 12",
      drawn: block(screen(20, deadline: 2, compositor: 12, loop: .events)), dropped: [13]),
    .init(
      name: "block, frame, d2, compositor 12",
      drawn: block(screen(20, deadline: 2, compositor: 12)), dropped: [12, 13]),
  ]

  private static let stages: [ScreenAnswer] =
    [
      .init(
        name: "compositor 12, d1", drawn: screen(60, compositor: 12),
        dropped: (0..<30).map { 2 * $0 + 1 }),
      .init(
        name: "compositor 12, d2", drawn: screen(60, deadline: 2, compositor: 12), drops: 0,
        present: 2),
      .init(
        name: "compositor 12, d1 b2", drawn: screen(60, buffers: 2, compositor: 12), drops: 1,
        missed: 60),
      .init(
        name: "draw 4, compositor 13, d1", drawn: screen(60, render: 4, compositor: 13), drops: 30),
      .init(
        name: "draw 4, compositor 12, d1", drawn: screen(60, render: 4, compositor: 12), drops: 0),
      .init(
        name: "draw 4, compositor 13, d1 b2",
        drawn: screen(60, render: 4, buffers: 2, compositor: 13), drops: 1),
    ]
    + slow.map { deadline, buffers, drops in
      .init(
        name: "compositor 18, d\(deadline) b\(buffers)",
        drawn: screen(600, deadline: deadline, buffers: buffers, compositor: 18), drops: drops)
    }

  /// The drops caused by a second stage longer than a period, by deadline and buffers.
  private static let slow: [(Int, Int, Int)] = [
    (1, 1, 300), (2, 2, 75), (2, 3, 44), (3, 3, 43), (3, 4, 43), (4, 4, 42),
  ]

  private static let late: [ScreenAnswer] = [
    .init(name: "draw 20, frame, d1", drawn: screen(600, render: 20), drops: 300),
    .init(name: "draw 20, frame, d2", drawn: screen(600, render: 20, deadline: 2), drops: 299),
    .init(name: "draw 20, events, d1", drawn: screen(600, render: 20, loop: .events), drops: 300),
    .init(
      name: "draw 20, events, d1 b2", drawn: screen(600, render: 20, buffers: 2, loop: .events),
      drops: 100),
    .init(
      name: "draw 20, events, d2", drawn: screen(600, render: 20, deadline: 2, loop: .events),
      drops: 99),
  ]

  private static let tenths = [10, 20, 30, 40, 50]
  private static let tasks = (0..<40).map { 15 * $0 }

  private static func tenth(_ length: Int64, _ drawn: ScreenCase) -> ScreenCase {
    items(length, at: tenths, after: 5, drawn)
  }

  private static func task(_ drawn: ScreenCase) -> ScreenCase {
    items(28, at: tasks, after: 12, drawn)
  }

  private static let items: [ScreenAnswer] =
    [
      .init(name: "item of 11 ms, frame", drawn: tenth(11, screen(60, render: 4)), drops: 0),
      .init(
        name: "item of 13 ms, frame", drawn: tenth(13, screen(60, render: 4)),
        dropped: tenths.map { $0 + 2 }),
      .init(
        name: "item of 13 ms, events", drawn: tenth(13, screen(60, render: 4, loop: .events)),
        drops: 0),
      .init(
        name: "item of 30 ms, events",
        drawn: tenth(30, screen(60, render: 4, deadline: 2, compositor: 12, loop: .events)),
        drops: 5, missed: 0),
      .init(
        name: "item of 30 ms, frame",
        drawn: tenth(30, screen(60, render: 4, deadline: 2, compositor: 12)), drops: 10, missed: 5),
    ]
    + (1...4).map { deadline in
      .init(
        name: "task of 28 ms, newest, d\(deadline)",
        drawn: task(screen(600, render: 5, deadline: deadline, loop: .events)), drops: 40)
    }
    + posted.map { deadline, buffers, drops in
      .init(
        name: "task of 28 ms, posted, d\(deadline) b\(buffers)",
        drawn: task(
          screen(
            600, render: 5, deadline: deadline, buffers: buffers, loop: .events, frameTime: .posted)
        ),
        drops: drops)
    }

  private static let posted: [(Int, Int, Int)] = [(1, 1, 40), (1, 2, 1), (2, 2, 0)]

  private static func held(_ deadline: Int) -> ScreenCase {
    var drawn = onDemand([99], screen(30, render: 4, deadline: deadline))
    drawn.workloads = [.init(arrivals: [98 * ms], steps: [.init(cost: 40 * ms)])]
    return drawn
  }

  private static let demand: [ScreenAnswer] = [
    .init(
      name: "on demand behind an item, d1", drawn: held(1), dropped: [7, 8], shown: [8: 9],
      begins: [8: 138 * ms]),
    .init(
      name: "on demand behind an item, d2", drawn: held(2), dropped: [8, 9], missed: 0,
      begins: [8: 138 * ms]),
    .init(
      name: "on demand, draw 20, d1", drawn: onDemand([99], screen(30, render: 20)), dropped: [7]),
    .init(
      name: "on demand, draw 20, d2", drawn: onDemand([99], screen(30, render: 20, deadline: 2)),
      drops: 0),
    .init(
      name: "on demand, a request each second",
      drawn: onDemand((0..<10).map { $0 * 1000 + 7 }, screen(600)), drops: 0, expected: 10),
  ]

  /// A hundred items of a millisecond, `counts` of which come at these milliseconds after vsync 10, at 166.67 ms, when the
  /// frame of that has ended.
  private static func hundred(
    _ loop: ScreenCase.Loop, isQueued: Bool, _ counts: [(Int, after: Int64)] = [(100, 5)]
  ) -> ScreenCase {
    var drawn = screen(20, render: 4, loop: loop)
    drawn.isQueued = isQueued
    for (count, delay) in counts {
      drawn = items(1, at: Array(repeating: 10, count: count), after: delay, drawn)
    }
    return drawn
  }

  private static func chain(isQueued: Bool) -> ScreenCase {
    var drawn = hundred(.alternate, isQueued: isQueued, [(1, 5)])
    drawn.workloads[0].steps = Array(repeating: .init(cost: ms), count: 100)
    drawn.yield = .init()
    return drawn
  }

  private static let batches = floods + calm + halves + late(byItem: 90)

  /// The frame of vsync 11 waits for the turn, to 271.67 ms, where it belongs to vsync 16 and is shown by 17.
  private static let floods: [ScreenAnswer] = loops.map { loop, isQueued in
    .init(
      name: "hundred items, \(loop), \(isQueued ? "queued" : "one")",
      drawn: hundred(loop, isQueued: isQueued), dropped: [12, 13, 14, 15, 16], shown: [16: 17],
      begins: [16: 271_666_666])
  }

  private static let loops: [(ScreenCase.Loop, isQueued: Bool)] = [
    (.events, true), (.alternate, true), (.fifo, true), (.fifo, false),
  ]

  /// Each frame waits for one item or step at most.
  private static let calm: [ScreenAnswer] = [
    .init(
      name: "hundred items, events, one", drawn: hundred(.events, isQueued: false), dropped: []),
    .init(
      name: "hundred items, alternate, one", drawn: hundred(.alternate, isQueued: false),
      dropped: []),
    .init(name: "a chain of a hundred, queued", drawn: chain(isQueued: true), dropped: []),
    .init(name: "a chain of a hundred, one", drawn: chain(isQueued: false), dropped: []),
  ]

  /// A turn to 221.67 ms, the frame of vsync 13, and a turn of those that came during the first, to 275.67 ms.
  private static let halves: [ScreenAnswer] = [ScreenCase.Loop.events, .alternate].map { loop in
    .init(
      name: "fifty items and fifty, \(loop), queued",
      drawn: hundred(loop, isQueued: true, [(50, 5), (50, 20)]), dropped: [12, 13, 15, 16],
      begins: [13: 221_666_666, 16: 275_666_666])
  }

  /// An input of 5 ms at 171.67 ms, behind which a task of 20 ms that came meanwhile may wait for the frame of vsync 11, at 183.33.
  /// That has been due for a moment if the input came `later`.
  private static func deferring(
    _ limit: Int64?, other: Int64? = nil, later: Int64 = 0
  ) -> ScreenCase {
    var drawn = screen(20, render: 4, loop: .fifo)
    drawn.deferral = limit.map { $0 * ms }
    drawn = items(5, at: [10], after: 5 + later, drawn)
    drawn.workloads[0].isInput = true
    drawn = items(20, at: [10], after: 8 + later, drawn)
    guard let other else { return drawn }
    drawn = items(other, at: [10], after: 12, drawn)
    drawn.workloads[2].isInput = true
    return drawn
  }

  /// An input of 30 ms at 180.67 ms, during which the vsyncs 11 and 12 are due; their frames run one after the other behind it. The
  /// event of the second is posted when the first has ended, so it ends the wait of a task of 20 ms.
  private static let longInput: ScreenCase = {
    var drawn = screen(20, render: 4, deadline: 2, buffers: 2, loop: .fifo, frameTime: .posted)
    drawn.deferral = 50 * ms
    drawn = items(30, at: [10], after: 14, drawn)
    drawn.workloads[0].isInput = true
    return items(20, at: [10], after: 17, drawn)
  }()

  private static let deferrals: [ScreenAnswer] = [
    .init(
      name: "a task behind an input across two vsyncs", drawn: longInput, dropped: [],
      begins: [11: 210_666_666, 12: 214_666_666, 13: 238_666_666, 14: 242_666_666]),
    .init(
      name: "a task behind an input, undeferred", drawn: deferring(nil), dropped: [12],
      begins: [11: 196_666_666]),
    .init(
      name: "a task behind an input", drawn: deferring(50), dropped: [],
      begins: [11: 183_333_333, 12: 207_333_333]),
    .init(
      name: "a task behind an input, 4 ms", drawn: deferring(4), dropped: [12],
      begins: [12: 200_666_666]),
    .init(
      name: "a task behind an input across a vsync", drawn: deferring(50, later: 9), dropped: [],
      begins: [11: 185_666_666, 12: 200_000_000, 13: 224_000_000]),
    .init(
      name: "a task and an input behind an input", drawn: deferring(50, other: 9), dropped: [],
      begins: [11: 187_666_666, 12: 200_000_000, 13: 224_000_000]),
  ]

  /// The frame of vsync 4 ends at 100 ms, when the next one is late and an item of a millisecond has waited since `instant`.
  private static func late(byItem instant: Int64) -> [ScreenAnswer] {
    [(ScreenCase.Loop.events, Int64(100)), (.alternate, 101)].map { loop, begin in
      .init(
        name: "an item while frames are late, \(loop)",
        drawn: items(
          1, at: [0], after: instant, screen(20, render: 20, buffers: 2, loop: loop)),
        begins: [6: begin * ms])
    }
  }
}
