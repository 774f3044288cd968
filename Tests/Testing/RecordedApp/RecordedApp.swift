import Dispatch
import Foundation
import FrameRecording
import SchedulableObjects

/// A program that records itself until it is ended: 60 frames a second, and 30 ms of the service `index` every 250 ms.
///
///     RecordedApp SECONDS      ends by itself after this time
///     RecordedApp silent       records nothing, and ends with status 3
///     RecordedApp children     starts another process, outside of its group, and continues
///     RecordedApp lasting      continues, even after a request to end
///     RecordedApp hangs SECONDS   hangs after this time, until it is killed
///     RecordedApp crashes SECONDS [moved]   crashes after this time; only under an arrangement, if it says `moved`
///     RecordedApp work N M P   computes the same each time, N steps of `index` in P calls (by default one) and M of a frame,
///                              20 times, and ends
///     RecordedApp turns        the same, but every second run in a folder computes twice as much of `index`
@main
struct RecordedApp {
  @MainActor
  static func main() throws {
    let word = CommandLine.arguments.dropFirst().first ?? "60"
    if word == "silent" {
      print("first\nno \u{1B}[31mdisplay")
      exit(3)
    }
    if ["work", "turns"].contains(word) {
      try FrameRecorder.start(to: "\(NSTemporaryDirectory())\(UUID())/app.json")
      var steps = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
      if word == "turns" {
        let isFirst = unsafe close(open("turn", O_CREAT | O_EXCL | O_WRONLY, 0o600)) == 0
        if !isFirst { unsafe unlink("turn") }
        steps = [isFirst ? 1000 : 2000, 0]
      }
      let calls = steps.count > 2 ? steps.removeLast() : 1
      for _ in 0..<20 {
        for _ in 0..<calls {
          FrameRecorder.interval("index") { compute((steps.first ?? 0) / calls) }
        }
        FrameRecorder.frame {
          // The digits of a name do not count.
          for row in 0..<3 { FrameRecorder.interval("row \(row)") { compute(10) } }
          compute(steps.last ?? 0)
        }
      }
      try FrameRecorder.stop()
      return print("done")
    }
    if word == "children" {
      let child = Process()
      child.executableURL = URL(filePath: "/usr/bin/setsid")
      child.arguments = ["sleep", "1000"]
      try child.run()
    }
    if word == "lasting" { signal(SIGTERM, SIG_IGN) }
    print("arguments: \(CommandLine.arguments.dropFirst().joined(separator: " "))")
    fflush(nil)
    try FrameRecorder.start(to: "\(NSTemporaryDirectory())\(UUID())/app.json", app: "recorded")
    if ["hangs", "crashes"].contains(word) { fail(word, CommandLine.arguments.dropFirst(2)) }
    if let seconds = Double(word) {
      DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { exit(0) }
    }
    Task {
      let homes = try ServiceHomes(.fromEnvironment())
      let index = try await homes.service("index") { _ in Index() }
      let timers = [
        timer(every: .nanoseconds(16_666_667)) { FrameRecorder.frame { spin(.milliseconds(2)) } },
        timer(every: .milliseconds(250)) { index.schedule { $0.update() } },
      ]
      try await Task.sleep(for: .seconds(3600))
      withExtendedLifetime(timers) {}
    }
    dispatchMain()
  }

  @MainActor
  private static func fail(_ word: String, _ arguments: ArraySlice<String>) {
    let seconds = arguments.first.flatMap { Double($0) } ?? 0
    DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
      let arrangement = ProcessInfo.processInfo.environment[AppArrangement.variable] ?? ""
      if word == "hangs" {
        FrameRecorder.interval("endless") { spin(.seconds(3600)) }
      } else if !arguments.contains("moved") || !arrangement.isEmpty {
        print("a crash")
        fflush(nil)
        // Not by the handler that prints a backtrace.
        signal(SIGSEGV, SIG_DFL)
        raise(SIGSEGV)
      }
    }
  }

  private static func compute(_ steps: Int) {
    var sum = 0
    for step in 0..<steps { sum = sum &* 31 &+ step }
    withExtendedLifetime(sum) {}
  }

  fileprivate static func spin(_ span: Duration) {
    let end = ContinuousClock.now + span
    while ContinuousClock.now < end {}
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
}

private final class Index {
  func update() { FrameRecorder.interval("index") { RecordedApp.spin(.milliseconds(30)) } }
}
