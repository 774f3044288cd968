extension ScreenOutcome {
  /// The results that an engine's log also contains, and which are compared.
  struct Visible: Equatable {
    struct Frame: Equatable {
      var vsync: Int
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
    /// By item, when it was done, and the vsync that showed it.
    var done: [Int64?]
    var shown: [Int?]
  }

  var visible: Visible {
    Visible(
      frames: frames.map {
        .init(
          vsync: $0.vsync, begin: $0.begin, workEnd: $0.workEnd, ready: $0.ready, shown: $0.shown)
      },
      expected: expected, dropped: droppedVsyncs, drops: Cause.allCases.map(drops(by:)),
      stuffed: stuffed, missed: missed, done: items.map(\.done), shown: items.map(\.shown))
  }
}
