extension ScreenOutcome {
  /// The results that an engine's log also contains, and which are compared.
  struct Visible: Equatable {
    struct Frame: Equatable {
      var vsync: Int
      var asked: Int
      var begin: Int64
      var workEnd: Int64?
      var ready: Int64?
      var shown: Int?
    }

    var frames: [Frame]
    var expected: Int
    var dropped: [Int]
    /// By cause.
    var drops: [Int]
    var stuffed: Int
    var missed: Int
    var long: Long
    /// Items that a vsync has shown, done ones that none has, and those of growing backlogs.
    var left: Left
    /// By item, when it was done, and the vsync that showed it.
    var done: [Int64?]
    var shown: [Int?]
    /// By item: whether a newer one replaced it.
    var replaced: [Bool]
    /// Nil if no part is spread.
    var late: Late?
  }

  /// Shown frames that were incomplete; how long work of parts waited at most, and what was left of it.
  struct Late: Equatable {
    var frames: Int
    var longest: Int64
    var left: Int64
  }

  private func late(of drawn: ScreenCase, fault: ScreenFault?) -> Late? {
    guard drawn.parts.contains(where: { $0.budget != nil }) else { return nil }
    let half = drawn.duration / 2
    var late = Late(
      frames: frames.count { $0.isIncomplete && $0.shown != nil }, longest: 0, left: 0)
    for part in owed {
      func age(_ owed: Owed, by end: Int64) -> Int64 {
        min(owed.done.map(drawn.instant) ?? end, end) - drawn.instant(owed.vsync)
      }
      let usual =
        part.filter { drawn.instant($0.vsync) < half }.map { age($0, by: half) }.max() ?? 0
      for owed in part {
        late.longest = max(late.longest, age(owed, by: drawn.duration))
        let isOld = age(owed, by: drawn.duration) > usual + drawn.instant(1) + 1
        if isOld || fault == .restInFlightLeft { late.left += owed.left }
      }
    }
    return late
  }

  /// Stretches of the main loop of more than 50 ms, the time of each beyond that, and those of more than 250 ms.
  struct Long: Equatable {
    var tasks: Int
    var blocking: Int64
    var hangs: Int
    var hung: Int64

    init(tasks: Int, blocking: Int64, hangs: Int, hung: Int64) {
      (self.tasks, self.blocking, self.hangs, self.hung) = (tasks, blocking, hangs, hung)
    }

    init(_ stretches: [Int64]) {
      let ms: Int64 = 1_000_000
      let (long, hangs) = (stretches.filter { $0 > 50 * ms }, stretches.filter { $0 > 250 * ms })
      self.init(
        tasks: long.count, blocking: long.reduce(0) { $0 + $1 - 50 * ms }, hangs: hangs.count,
        hung: hangs.reduce(0, +))
    }
  }

  struct Left: Equatable {
    var shown: Int
    var results: Int
    var backlog: Int
  }

  /// What is left of the items at the end of the run.
  func left(of drawn: ScreenCase, fault: ScreenFault?) -> Left {
    func over(_ item: Item) -> Int64? {
      if fault == .doneIsShown { return item.done }
      guard let shown = item.shown.map(drawn.instant) else { return nil }
      if item.isReplaced || fault == .answerIsEnd { return shown }
      return item.done.map { max($0, shown) }
    }
    let backlogs = drawn.workloads.indices.map { workload in
      let items = items.filter { $0.workload == workload }.map { (at: $0.arrival, over: over($0)) }
      let isLeft = fault == .backlogIsWhatWaits || Self.isBacklog(items, drawn, fault)
      return isLeft ? items.count { $0.over == nil } : 0
    }
    return Left(
      shown: items.count { !$0.isReplaced && ($0.shown != nil || fault == .doneIsShown) },
      results: items.count { $0.done != nil && $0.shown == nil }, backlog: backlogs.reduce(0, +))
  }

  /// Whether the items that wait at the end are more than what is in flight at any time.
  private static func isBacklog(
    _ items: [(at: Int64, over: Int64?)], _ drawn: ScreenCase, _ fault: ScreenFault?
  ) -> Bool {
    let instants = Set(items.map(\.at)).sorted()
    guard let last = instants.last else { return false }
    let vsync = drawn.instant(1) + 1
    guard instants.count >= 4 else {
      let earlier = items.filter { $0.at < last }
      let longest = earlier.map { ($0.over ?? .max) - $0.at }.max() ?? .min
      if fault == .fewNeverWait { return false }
      return instants.count == 1 || earlier.contains { $0.over == nil }
        || drawn.instant(drawn.lastVsync) - last > longest + vsync
    }
    func waiting(at instant: Int64, lasting: Int64) -> Int {
      items.count { $0.at < instant && ($0.over ?? .max) >= instant - lasting }
    }
    func fewest(_ quarter: Int, lasting: Int64) -> Int {
      let count = instants.count
      return instants[quarter * count / 4..<(quarter + 1) * count / 4].map {
        waiting(at: $0, lasting: lasting)
      }.min() ?? 0
    }
    let (before, after) = (fewest(1, lasting: vsync), fewest(3, lasting: 0))
    return after > before && (after - before) * (after - before) >= before
  }

  func visible(of drawn: ScreenCase, fault: ScreenFault?) -> Visible {
    Visible(
      frames: frames.map {
        .init(
          vsync: $0.vsync, asked: $0.asked, begin: $0.begin, workEnd: $0.workEnd, ready: $0.ready,
          shown: $0.shown)
      },
      expected: expected, dropped: droppedVsyncs, drops: Cause.allCases.map(drops(by:)),
      stuffed: stuffed, missed: missed, long: Long(stretches(of: drawn, fault: fault)),
      left: left(of: drawn, fault: fault), done: items.map(\.done), shown: items.map(\.shown),
      replaced: items.map(\.isReplaced), late: late(of: drawn, fault: fault))
  }
}
