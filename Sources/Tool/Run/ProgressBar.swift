internal import Concurrency
internal import FrameBudget
internal import RealTime
internal import Reports
internal import SchedulableObjects

/// How far the runs have come, drawn a few times a second by a thread of its own: drawing on the main
/// thread would be measured with the frames.
final class ProgressBar: Sendable {
  /// What the engine tells of the run that goes on.
  let progress = RunProgress()
  private let bar: ProgressLine
  private let scheduler: ThreadScheduler
  private let current = Locked<Current?>(nil)

  private struct Current {
    var title: String
    var length: TimeSpan
  }

  /// Nil where there is no terminal to draw on, or no thread to draw.
  init?(on console: Console) {
    guard let bar = ProgressLine(on: console),
      let scheduler = try? ThreadScheduler(name: "progress", nice: 10, options: Self.options)
    else { return nil }
    self.bar = bar
    self.scheduler = scheduler
  }

  /// When the bar ends, the next drawing waits already. It is dropped on purpose, and nobody need hear of it on the
  /// terminal that the bar was wiped off.
  private static let options = SchedulerOptions().with { $0.report = { _ in } }

  /// Shows a run from now on, which lasts for `length` once it has warmed up.
  func begin(_ title: String, lasting length: TimeSpan) {
    let isFirst = current.withLock { current in
      defer { current = Current(title: title, length: length) }
      return current == nil
    }
    if isFirst { scheduler.schedule { [weak self] in self?.tick() } }
  }

  /// Ends the drawing and wipes the line.
  func stop() {
    scheduler.shutdownAndWait(.drop)
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
    let full = Int(share * Double(cells))
    let drawn = String(repeating: "█", count: full) + String(repeating: "·", count: cells - full)
    return "\(current.title)  \(drawn)  \(numbers)"
  }

  private func seconds(_ span: TimeSpan) -> String {
    let tenths = (span.nanoseconds + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
