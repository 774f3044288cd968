internal import FrameBudget
internal import Parsing

/// How much of a long file is read, drawn a few times a second between its pieces.
final class ReadingBar {
  private let bar: ProgressLine
  private var drawn = ContinuousClock.now
  private var isDrawn = false

  /// Nil where there is no terminal to draw on.
  init?(on console: Console) {
    guard let bar = ProgressLine(on: console) else { return nil }
    self.bar = bar
  }

  /// What is called while the file at `path` is read.
  func progress(of path: String) -> ByteSource.Progress {
    drawn = ContinuousClock.now
    let name = path == "-" ? "standard input" : path
    return { [self] read, size in
      let now = ContinuousClock.now
      guard now - drawn >= ProgressLine.pause else { return }
      (drawn, isDrawn) = (now, true)
      bar.draw(Self.line(of: name, read: read, size: size, width: bar.room))
    }
  }

  /// Takes away what is drawn, if anything is.
  func wipe() {
    if isDrawn { bar.wipe() }
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
