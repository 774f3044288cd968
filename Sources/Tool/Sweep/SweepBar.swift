internal import Reports

/// How many runs of a sweep are made, and how long the others may take, drawn a few times a second.
struct SweepBar {
  private let bar: ProgressLine
  private let before: Int
  private let runs: Int
  private let start = ContinuousClock.now
  private var drawn = ContinuousClock.now

  /// Nil where there is no terminal to draw on. `before` runs of all `runs` are there already.
  init?(on console: Console, after before: Int, of runs: Int) {
    guard let bar = ProgressLine(on: console) else { return nil }
    self.bar = bar
    self.before = before
    self.runs = runs
  }

  mutating func draw(done: Int) {
    let now = ContinuousClock.now
    guard now - drawn >= ProgressLine.pause else { return }
    drawn = now
    bar.draw(
      Self.line(
        done: done, of: runs, after: before, in: (now - start) / .seconds(1), width: bar.room))
  }

  func wipe() { bar.wipe() }

  /// `1200/8000  ███···  940 runs per second, 7.2 s left`
  static func line(
    done: Int, of runs: Int, after before: Int, in seconds: Double, width: Int
  ) -> String {
    let label = "\(done)/\(runs)"
    let rate = Double(done - before) / seconds
    guard rate > 0, rate.isFinite else { return String(label.prefix(width)) }
    let left = Figure.span(milliseconds: Double(runs - done) / rate * 1000)
    let words = "\(Int(rate.rounded())) runs per second, about \(left) left"
    let cells = min(30, width - label.count - words.count - 4)
    guard cells >= 4 else { return String("\(label)  \(words)".prefix(width)) }
    let full = Int(Double(cells) * Double(done) / Double(runs))
    return label + "  " + String(repeating: "█", count: full)
      + String(repeating: "·", count: cells - full) + "  " + words
  }
}
