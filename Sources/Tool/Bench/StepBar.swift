/// How many of equal steps are done, drawn between them: while one goes on nothing but it shall run.
struct StepBar {
  private let console: Console
  private let width: Int
  private let steps: Int

  /// Nil where there is no terminal to draw on.
  init?(on console: Console, steps: Int) {
    guard let width = console.progressWidth else { return nil }
    self.console = console
    self.width = width
    self.steps = steps
  }

  func draw(_ title: String, done: Int) {
    console.draw("\r\(Self.line(title, done: done, of: steps, width: width - 1))\u{1B}[K")
  }

  func wipe() { console.draw("\r\u{1B}[K") }

  static func line(_ title: String, done: Int, of steps: Int, width: Int) -> String {
    let label = "\(done + 1)/\(steps) \(title)"
    let cells = min(width - label.count - 2, 30)
    guard cells >= 4 else { return String(label.prefix(width)) }
    let full = done * cells / steps
    return label + "  " + String(repeating: "█", count: full)
      + String(repeating: "·", count: cells - full)
  }
}
