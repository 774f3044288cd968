internal import FrameBudget
internal import Parsing

/// How much of a long file is read, drawn a few times a second between its pieces.
final class ReadingBar {
  private let console: Console
  private let width: Int
  private var drawn = ContinuousClock.now
  private var isDrawn = false

  /// Nil where there is no terminal to draw on.
  init?(on console: Console) {
    guard let width = console.progressWidth else { return nil }
    self.console = console
    self.width = width
  }

  /// What is called while the file at `path` is read.
  func progress(of path: String) -> ByteSource.Progress {
    drawn = ContinuousClock.now
    let name = path == "-" ? "standard input" : path
    return { [self] read, size in
      let now = ContinuousClock.now
      guard now - drawn >= .milliseconds(250) else { return }
      (drawn, isDrawn) = (now, true)
      let line = Self.line(of: name, read: read, size: size, width: width - 1)
      console.draw("\r\(line)\u{1B}[K")
    }
  }

  /// Takes away what is drawn, if anything is.
  func wipe() {
    if isDrawn { console.draw("\r\u{1B}[K") }
    isDrawn = false
  }

  /// `reading trace.json: 45 % of 120.5 MB`
  static func line(of name: String, read: Int, size: Int?, width: Int) -> String {
    func megabytes(_ bytes: Int) -> String {
      Decimal.text(Double(bytes) / 1e6, places: 1) + " MB"
    }
    let share = size.map { size in
      "\(min(100, read / max(1, size / 100))) % of \(megabytes(size))"
    }
    let words = "reading \(name.printable): \(share ?? megabytes(read))"
    return String(words.prefix(max(0, width)))
  }
}
