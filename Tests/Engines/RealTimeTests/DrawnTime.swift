import FrameBudget
import Testing

extension RunLog {
  /// The frames that were drawn to their end.
  var drawn: [FrameRecord] { frames.records.filter { $0.presentVsync <= frames.vsyncs } }
}

/// Expects that drawing the frames of `log` took their costs, all together.
///
/// One frame may take less: a thread burns what it used beyond an earlier target less than it should, which is much if the machine
/// stood still. Before the first frame, only the short warm-up drew.
func expectDrawing(in log: RunLog, takes cost: (FrameRecord) -> TimeSpan) {
  let drawing = log.drawn.reduce(TimeSpan.zero) { $0 + $1.spans[.render] }
  let costs = log.drawn.reduce(TimeSpan.zero) { $0 + cost($1) }
  #expect(drawing >= costs - .milliseconds(1))
}
