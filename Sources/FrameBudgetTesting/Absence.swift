internal import Concurrency

/// A stretch in which the loop gave the main thread to who waited for it, and what became of that time.
struct Absence: Sendable {
  /// On the clock of the segments.
  let began, ended: Int64
  /// What the main thread used of the processor meanwhile; nil where the loop came back on another thread.
  let cpu: Int64?
  /// Whether the thread went to sleep meanwhile: otherwise it could have run all the time.
  let hasSlept: Bool
  /// What items did in it, in the order of time.
  let pieces: [WorkSegment]

  /// Processor time that neither an item nor the handing over of its pieces accounts for, in nanoseconds; 0 where that is too
  /// little to be told from the library's own.
  var undeclared: Int64 {
    guard let others = othersUse else { return 0 }
    return others > Self.own + Int64(pieces.count) * Self.ownOfPiece ? others : 0
  }

  /// Processor time that no piece of an item has.
  private var othersUse: Int64? { cpu.map { $0 - pieces.reduce(0) { $0 + $1.cpu } } }

  /// What giving way takes at most, and what a piece of an item takes besides itself, in nanoseconds.
  private static let own: Int64 = 100_000
  private static let ownOfPiece: Int64 = 20_000

  /// When the undeclared work ran, and when the machine kept the thread from running, as far as both are known: in the time
  /// that no piece of an item has, the machine last.
  var spans: (undeclared: [Range<Int64>], machine: [Range<Int64>]) {
    var free = idle
    let unused = free.reduce(0) { $0 + Int64($1.count) } - (othersUse ?? .max)
    let machine = hasSlept ? [] : Self.take(unused, fromEndOf: &free)
    return (Self.take(undeclared, fromEndOf: &free), machine)
  }

  /// The time that no piece has.
  private var idle: [Range<Int64>] {
    var idle: [Range<Int64>] = []
    var from = began
    for piece in pieces {
      if piece.began > from { idle.append(from..<piece.began) }
      from = max(from, piece.ended)
    }
    if ended > from { idle.append(from..<ended) }
    return idle
  }

  /// Takes the last `span` of `ranges` out of them; returns it, in the order of time.
  private static func take(_ span: Int64, fromEndOf ranges: inout [Range<Int64>]) -> [Range<Int64>]
  {
    var taken: [Range<Int64>] = []
    var left = span
    while left > 0, let last = ranges.popLast() {
      let begin = max(last.lowerBound, last.upperBound - left)
      taken.append(begin..<last.upperBound)
      left -= last.upperBound - begin
      if begin > last.lowerBound { ranges.append(last.lowerBound..<begin) }
    }
    return taken.reversed()
  }
}

/// The begin of an `Absence`.
struct AbsenceStart {
  private let thread = Platform.threadID()
  private let sleeps = ThreadUse.sleepCount
  private let cpu = ThreadUse.processorTime
  let clock = ThreadUse.clock

  /// The absence that ends now, with what items did in it.
  func ended(_ pieces: [WorkSegment]) -> Absence {
    let now = ThreadUse.now()
    return Absence(
      began: clock, ended: now.clock, cpu: thread == Platform.threadID() ? now.cpu - cpu : nil,
      hasSlept: now.sleeps != sleeps, pieces: pieces)
  }
}
