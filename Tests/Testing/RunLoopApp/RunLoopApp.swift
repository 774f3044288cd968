internal import SchedulableThreads
internal import Foundation
internal import FrameBudgetTesting

/// A program whose main thread runs `RunLoop.main`, and which measures floods of work on it: in a test process on Linux nothing
/// runs that loop.
///
///     RunLoopApp floods RUNS           a line for each way to post: the result of a timer beside a flood, and the verdicts
///     RunLoopApp random FIRST COUNT    a line for each random app of these seeds: its work, and the verdict
///     RunLoopApp work STEPS            measures items of so many steps, each in two pieces, for `measure`
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
        case ("work", 1): try await work(numbers[0])
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

@MainActor
private func work(_ steps: Int) async throws {
  @MainActor func compute() {
    var sum = 0
    for step in 0..<steps / 2 { sum = sum &* 31 &+ step }
    withExtendedLifetime(sum) {}
  }
  // Long enough that items begin where each instruction takes fifty times as long.
  _ = try await measureFrames(for: .seconds(4)) { app in
    app.frame { compute() }
    app.workload("index", .batch(3, every: .milliseconds(100))) { _ in
      compute()
      await Task.yield()
      compute()
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
