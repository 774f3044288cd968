/// A line that is drawn over again while a command works, and wiped at its end.
struct ProgressLine: Sendable {
  private let console: Console
  /// How many columns a line may have.
  let room: Int

  /// What changes all the time is drawn this often.
  static let pause = Duration.milliseconds(250)

  /// Nil where there is no terminal to draw on.
  init?(on console: Console) {
    guard let width = console.progressWidth else { return nil }
    self.console = console
    room = max(0, width - 1)
  }

  /// Draws as much of the text as there is room for.
  func draw(_ text: String) { console.draw("\r\(text.prefix(room))\u{1B}[K") }

  func wipe() { console.draw("\r\u{1B}[K") }
}
