internal import FrameBudget

/// A strategy on the screen: its run, and the chart that goes on over its runs.
struct Pane: Sendable {
  var run: RunModel
  var timeline = Timeline()
  /// How the run stands; nil where nobody has said it.
  var words: StandingWords?
  /// Of which numbers that was said: words change as often as these, so that they can be read.
  var judged: Instant?

  init(_ run: RunModel, mark: String) {
    self.run = run
    timeline.beginRun(after: nil, mark: mark)
  }

  mutating func take(_ glance: RunGlance) {
    for frame in glance.frames { timeline.append(frame, refresh: run.refresh) }
    run.take(glance)
  }

  mutating func begin(_ new: RunModel, mark: String) {
    timeline.beginRun(after: run, mark: mark)
    run = new
    words = nil
  }

  /// How many vsyncs the chart has columns for, those that the frame under way has missed among them.
  var shownVsyncs: Int { timeline.columns.count + timeline.underWay(in: run).count }

  mutating func mark(_ text: String) { timeline.mark(text, at: run.expected) }
}
