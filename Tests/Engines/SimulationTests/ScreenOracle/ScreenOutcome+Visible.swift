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
    /// By item, when it was done, and the vsync that showed it.
    var done: [Int64?]
    var shown: [Int?]
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

  func visible(of drawn: ScreenCase, fault: ScreenFault?) -> Visible {
    Visible(
      frames: frames.map {
        .init(
          vsync: $0.vsync, asked: $0.asked, begin: $0.begin, workEnd: $0.workEnd, ready: $0.ready,
          shown: $0.shown)
      },
      expected: expected, dropped: droppedVsyncs, drops: Cause.allCases.map(drops(by:)),
      stuffed: stuffed, missed: missed, long: Long(stretches(of: drawn, fault: fault)),
      done: items.map(\.done), shown: items.map(\.shown))
  }
}
