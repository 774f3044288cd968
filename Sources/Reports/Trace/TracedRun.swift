internal import FrameBudget
public import Parsing

/// A run read back from a trace: what its threads did and when frames were dropped.
public struct TracedRun: Sendable {
  public internal(set) var name = ""
  /// Which of several results it lies beside; empty where there is one.
  public var origin = ""
  var repetition = 1
  /// Main first.
  var threads: [Thread] = []
  /// Spans are those in which somebody held the lock, named by the thread.
  var locks: [Thread] = []
  var frames: [Frame] = []
  /// By number, from 1.
  var vsyncs: [Int: Int64] = [:]
  var lastVsync: Int64 = 0

  struct Thread: Sendable {
    let name: String
    var spans: [Span] = []
  }

  /// From one instant to another, in nanoseconds.
  struct Span: Sendable {
    let begin: Int64
    let end: Int64
    let kind: Kind
    /// What it is called; of a lock wait, the lock.
    let name: String
  }

  /// In the order in which a legend has them.
  enum Kind: Int, CaseIterable, Sendable {
    case wakeup, preempted, post, logic, drain, release, reads, render, lockWait, lockHold
  }

  struct Frame: Sendable {
    let span: Span
    let begin: Int
    let shown: Int
    let late: Int
    let cause: String
  }

  /// The frame that kept a new one from the screen longest, the first of such; nil if none was late.
  var worst: Frame? {
    frames.reduce(nil) { worst, frame in
      frame.late > worst?.late ?? 0 ? frame : worst
    }
  }

  /// What lies more than a minute apart between the work of two frames.
  public var gaps: LongGaps {
    var gaps = LongGaps()
    var end: Int64 = 0
    for span in frames.map(\.span).sorted(by: { $0.begin < $1.begin }) {
      gaps.add(span.begin - end)
      end = max(end, span.end)
    }
    return gaps
  }

  /// When the vsync is; one that the run did not see comes a period after the last.
  func instant(ofVsync number: Int) -> Int64 {
    number <= 0 ? 0 : vsyncs[number] ?? lastVsync + period
  }

  var period: Int64 { vsyncs[1] ?? 16_666_667 }
}
