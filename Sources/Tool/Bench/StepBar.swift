/// How many of equal steps are done, drawn between them: while one goes on nothing but it shall run.
struct StepBar {
  private let bar: ProgressLine
  private let steps: Int

  /// Nil where there is no terminal to draw on.
  init?(on console: Console, steps: Int) {
    guard let bar = ProgressLine(on: console) else { return nil }
    self.bar = bar
    self.steps = steps
  }

  func draw(_ title: String, done: Int) {
    bar.draw(Self.line(title, done: done, of: steps, width: bar.room))
  }

  func wipe() { bar.wipe() }

  static func line(_ title: String, done: Int, of steps: Int, width: Int) -> String {
    let label = "\(done + 1)/\(steps) \(title)"
    let cells = min(width - label.count - 2, 30)
    guard cells >= 4 else { return String(label.prefix(width)) }
    let full = done * cells / steps
    return label + "  " + String(repeating: "█", count: full)
      + String(repeating: "·", count: cells - full)
  }
}
