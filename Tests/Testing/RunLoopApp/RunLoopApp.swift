internal import SchedulableThreads
internal import Foundation
internal import FrameBudgetTesting
internal import FrameRecording

/// A program whose main thread runs `RunLoop.main`, and which measures floods of work on it: in a test process on Linux nothing
/// runs that loop.
///
///     RunLoopApp floods RUNS           a line for each way to post: the result of a timer beside a flood, and the verdicts
///     RunLoopApp random FIRST COUNT    a line for each random app of these seeds: its work, and the verdict
///     RunLoopApp work STEPS PIECES     measures items of so many steps and pieces, and the same in an actor, for `measure`
///     RunLoopApp recorded              measures while a recorder records, which is an error
///
/// Reports with a wrong verdict are printed as errors.
@main
struct RunLoopApp {
  @MainActor
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    Way.prepare()
    Task {
      do {
        switch (arguments.first, numbers.count) {
        case ("floods", 1):
          for flood in Flood.all { try await flood.compare(runs: numbers[0]) }
        case ("random", 2):
          for seed in numbers[0]..<numbers[0] + numbers[1] {
            try await RandomApp(seed: UInt64(seed)).judge()
          }
        case ("work", 2): try await work(numbers[0], pieces: numbers[1])
        case ("recorded", 0):
          try FrameRecorder.start(to: "\(NSTemporaryDirectory())\(UUID())")
          try await work(1, pieces: 1)
        default: exit(64)
        }
        exit(0)
      } catch {
        say("\(error)", on: .standardError)
        exit(1)
      }
    }
    // Without a timer the loop would end.
    RunLoop.main.add(Timer(timeInterval: 86_400, repeats: true) { _ in }, forMode: .default)
    RunLoop.main.run()
  }
}

private func compute(_ steps: Int) {
  var sum = 0
  for step in 0..<steps { sum = sum &* 31 &+ step }
  withExtendedLifetime(sum) {}
}

private actor Hasher {
  func hash(_ steps: Int) { FrameRecorder.interval("hash") { compute(steps) } }
}

@MainActor
private func work(_ steps: Int, pieces: Int) async throws {
  let hasher = Hasher()
  // Long enough that items begin where each instruction takes fifty times as long.
  _ = try await measureFrames(for: .seconds(4)) { app in
    app.frame { compute(steps) }
    app.workload("index", .batch(3, every: .milliseconds(100))) { _ in
      compute(steps / pieces)
      for _ in 1..<pieces {
        await Task.yield()
        compute(steps / pieces)
      }
      await hasher.hash(steps)
    }
  }
}

/// Written at once, because a pipe would get it only at the end.
func say(_ line: String, on file: FileHandle = .standardOutput) {
  file.write(Data("\(line)\n".utf8))
}

/// Uses the given amount of the calling thread's processor time.
func burn(_ span: Duration) {
  let until = ThreadUse.now().cpu + Int64(span / .nanoseconds(1))
  while ThreadUse.now().cpu < until {}
}
