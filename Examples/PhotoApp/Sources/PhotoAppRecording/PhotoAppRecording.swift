import Dispatch
import Foundation
import FrameRecording
import PhotoApp

/// Runs the first step for four seconds on a real main thread, and records it: 60 frames a second, 40 photos at once each
/// second, taps meanwhile.
///
///     swift run PhotoAppRecording photos.json
@main
struct PhotoAppRecording {
  @MainActor
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: PhotoAppRecording TRACE")
      exit(64)
    }
    try FrameRecorder.start(to: CommandLine.arguments[1])
    let app = App()
    let timers = [
      timer(every: .nanoseconds(16_666_667)) { app.draw() },
      timer(every: .seconds(1)) { app.add() },
      timer(every: .milliseconds(170)) { app.tap() },
    ]
    DispatchQueue.main.asyncAfter(deadline: .now() + 4) { end() }
    withExtendedLifetime(timers) { dispatchMain() }
  }

  private static func timer(
    every period: DispatchTimeInterval, _ event: @escaping @MainActor () -> Void
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + period, repeating: period, leeway: .nanoseconds(0))
    timer.setEventHandler { MainActor.assumeIsolated(event) }
    timer.activate()
    return timer
  }

  private static func end() -> Never {
    do {
      let summary = try FrameRecorder.stop()
      print("\(summary.notes) notes, \(summary.lost) lost")
      exit(0)
    } catch {
      print(error)
      exit(1)
    }
  }
}

/// The first step, with names for what it does.
@MainActor
private final class App {
  private let album = Album()
  private let photos = (0..<40).map { Photo($0) }
  private var taps = 0

  func draw() {
    FrameRecorder.frame {
      let began = ProcessorTime.now
      while ProcessorTime.now - began < 0.004 {}
    }
  }

  func add() {
    FrameRecorder.interval("import") {
      for photo in photos { FrameRecorder.interval("thumbnail") { album.add(photo) } }
    }
  }

  func tap() {
    FrameRecorder.interval("tap") { album.select(taps) }
    taps += 1
  }
}
