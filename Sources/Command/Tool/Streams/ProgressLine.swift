internal import SchedulableThreads
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import SchedulableObjects

/// A line that is redrawn while a command works, and erased at its end.
struct ProgressLine: Sendable {
  private let console: Console
  /// The number of columns.
  let room: Int

  /// The interval between two drawings.
  static let pause = Duration.milliseconds(250)

  /// Nil if there is no terminal.
  init?(on console: Console) {
    guard let width = console.progressWidth else { return nil }
    self.console = console
    room = max(0, width - 1)
  }

  /// Draws the text, cut to the number of columns.
  func draw(_ text: String) { console.draw("\r\(text.prefix(room))\u{1B}[K") }

  func wipe() { console.draw(Self.wiping) }

  /// What erases the line.
  static let wiping = "\r\u{1B}[K"

  /// A bar of `count` cells, of which the first `full` are filled.
  static func cells(_ full: Int, of count: Int) -> String {
    String(repeating: "█", count: full) + String(repeating: "·", count: count - full)
  }
}

/// Shows the progress of reading a long file, a few times a second.
final class ReadingBar {
  private let bar: ProgressLine
  private var drawn = ContinuousClock.now
  private var isDrawn = false

  /// Nil if there is no terminal.
  init?(on console: Console) {
    guard let bar = ProgressLine(on: console) else { return nil }
    self.bar = bar
  }

  /// The callback for reading the file at `path`.
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

  /// Erases the line, if one is drawn.
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

/// Shows the number of finished steps. Drawn between steps, so that it does not disturb a measurement.
struct StepBar {
  private let bar: ProgressLine
  private let steps: Int

  /// Nil if there is no terminal.
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
    return label + "  " + ProgressLine.cells(done * cells / steps, of: cells)
  }
}

/// Draws the number of finished runs of a sweep, and the remaining time, a few times a second.
struct SweepBar {
  private let bar: ProgressLine
  private let before: Int
  private let runs: Int
  private let start = ContinuousClock.now
  private var drawn = ContinuousClock.now

  /// Nil without a terminal. `before` of the `runs` runs exist already.
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
    return label + "  " + ProgressLine.cells(full, of: cells) + "  " + words
  }
}

/// Shows the progress of real runs, a few times a second. Uses a separate thread: drawing on the main thread would be measured
/// with the frames.
final class ProgressBar: Sendable {
  /// The progress of the current run, from the engine.
  let progress = RunProgress()
  private let bar: ProgressLine
  private let scheduler: ThreadScheduler
  private let current = Locked<Current?>(nil)

  private struct Current {
    var title: String
    var length: TimeSpan
  }

  /// Nil without a terminal, or without a thread for drawing.
  init?(on console: Console) {
    guard let bar = ProgressLine(on: console),
      let scheduler = try? ThreadScheduler(name: "progress", nice: 10, options: Self.options)
    else { return nil }
    self.bar = bar
    self.scheduler = scheduler
  }

  /// At the end the next drawing is already queued. It is dropped on purpose, without a report.
  private static let options = SchedulerOptions().with { $0.report = { _ in } }

  /// Shows a run that lasts for `length` after its warm-up.
  func begin(_ title: String, lasting length: TimeSpan) {
    let isFirst = current.withLock { current in
      defer { current = Current(title: title, length: length) }
      return current == nil
    }
    if isFirst { scheduler.schedule { [weak self] in self?.tick() } }
  }

  /// Stops drawing and erases the line.
  func stop() {
    scheduler.shutdownBlocking(.drop)
    bar.wipe()
  }

  private func tick() {
    if let current = current.withLock(\.self) { bar.draw(line(current)) }
    scheduler.schedule(after: ProgressLine.pause) { [weak self] in self?.tick() }
  }

  private func line(_ current: Current) -> String {
    let elapsed = min(progress.elapsed, current.length)
    let share = elapsed.inSeconds / max(current.length.inSeconds, 1e-9)
    let numbers =
      "\(seconds(elapsed)) of \(seconds(current.length)) s, \(progress.droppedFrames) dropped"
    let room = bar.room - current.title.count - numbers.count - 4
    guard room >= 4 else { return "\(current.title)  \(numbers)" }
    let cells = min(room, 30)
    let drawn = ProgressLine.cells(Int(share * Double(cells)), of: cells)
    return "\(current.title)  \(drawn)  \(numbers)"
  }

  private func seconds(_ span: TimeSpan) -> String {
    let tenths = (span.nanoseconds + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
