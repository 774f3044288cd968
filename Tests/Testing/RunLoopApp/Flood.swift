internal import SchedulableThreads
internal import Foundation
internal import FrameBudgetTesting

/// Repeated work on the main thread, at 60 Hz with 4 ms of drawing.
struct Flood {
  let way: Way
  let count: Int
  let span: Duration
  let period: Duration

  static let all: [Flood] =
    Way.allCases.map { Flood(way: $0, count: 100, span: .milliseconds(1), period: .seconds(1)) } + [
      Flood(way: .block, count: 1, span: .milliseconds(50), period: .milliseconds(500)),
      Flood(way: .block, count: 1, span: .microseconds(200), period: .milliseconds(100)),
    ]

  static let drawing = Duration.milliseconds(4)
  static let duration = Duration.seconds(2)

  /// Prints the result of a timer and the given number of measurements.
  @MainActor
  func compare(runs: Int) async throws {
    let truth = await TimedFrames(self).run()
    var counts: [FrameVerdict: Int] = [:]
    var measured: [Double] = []
    var undeclared = Duration.zero
    for _ in 0..<runs {
      let report = try await measureFrames(drawing: Self.drawing, for: Self.duration) { app in
        declare(in: app)
      }
      let verdict = report.verdict(.droppedFrames, atMost: 0)
      counts[verdict, default: 0] += 1
      measured.append(report.measured(.droppedFrames) ?? .nan)
      undeclared += report.undeclared.total
      if verdict != (truth.dropped > 0 ? .missed : .met) {
        say("\(way.rawValue)\n\(report)", on: .standardError)
      }
    }
    let isUndeclared = undeclared / runs > span * count / 2
    measured.sort()
    say(
      [
        way.rawValue, "\(count)", Self.milliseconds(span), Self.milliseconds(period),
        String(format: "%.1f", truth.gap / .milliseconds(1)), "\(truth.dropped)",
        String(format: "%.0f", measured[runs / 2]), isUndeclared ? "undeclared" : "items",
        "\(counts[.met] ?? 0)", "\(counts[.missed] ?? 0)", "\(counts[.unsure] ?? 0)",
      ].joined(separator: ";"))
  }

  private static func milliseconds(_ span: Duration) -> String {
    String(format: "%g", span / .milliseconds(1))
  }

  @MainActor
  func declare(in app: FrameApp) {
    let items = way == .items ? count : 1
    app.workload("post", .batch(items, every: period)) { _ in way.post(count / items, span) }
  }
}

/// Frames that a timer of the main run loop begins, as an app without this library might have them, beside a flood.
@MainActor
private final class TimedFrames {
  private let flood: Flood
  private var begins: [Int64] = []
  private var nextFlood = 0
  private var first: Int64 = 0
  private var over: CheckedContinuation<(gap: Duration, dropped: Int), Never>?

  private static let period = 1.0 / 60
  private static let periodNanoseconds = Int64(1_000_000_000 / 60)
  /// The greatest time by which a timer may fire early.
  private static let early = periodNanoseconds / 4

  init(_ flood: Flood) { self.flood = flood }

  /// The longest time from one frame to the next, and the number of ticks at which none began.
  func run() async -> (gap: Duration, dropped: Int) {
    await withCheckedContinuation { over in
      self.over = over
      first = ThreadUse.clock + Self.periodNanoseconds
      let timer = Timer(
        fire: Date(timeIntervalSinceNow: Self.period), interval: Self.period, repeats: true
      ) { timer in
        if !MainActor.assumeIsolated({ self.draws() }) { timer.invalidate() }
      }
      RunLoop.main.add(timer, forMode: .default)
    }
  }

  /// Draws a frame; false for the last one.
  private func draws() -> Bool {
    let now = ThreadUse.clock
    begins.append(now)
    burn(Flood.drawing)
    let elapsed = Duration.nanoseconds(now - first + Self.early)
    guard elapsed < Flood.duration else {
      over.take()?.resume(returning: result)
      return false
    }
    if elapsed >= flood.period * nextFlood {
      nextFlood += 1
      let flood = flood
      DispatchQueue.main.async { flood.way.post(flood.count, flood.span) }
    }
    return true
  }

  private var result: (gap: Duration, dropped: Int) {
    let ticks = Set(begins.map { ($0 - first + Self.early) / Self.periodNanoseconds })
    let gaps = zip(begins.dropFirst(), begins).map { $0 - $1 }
    return (
      .nanoseconds(gaps.max() ?? 0), Int((ticks.max() ?? 0) - (ticks.min() ?? 0)) + 1 - ticks.count
    )
  }
}
