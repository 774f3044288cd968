internal import Foundation
internal import FrameBudget
internal import FrameBudgetTesting

/// An app at 60 Hz that draws for 2 ms and posts bursts of work to its main thread in some way: either bursts of more than two
/// periods that run in one turn, or work of at most 3 ms at once.
struct RandomApp: CustomStringConvertible {
  let seed: UInt64
  private let way: Way
  private let count: Int
  private let span: Duration

  init(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "app")
    self.seed = seed
    way = Way.allCases.randomElement(using: &stream) ?? .items
    let each = Duration.microseconds(Int.random(in: 100...3000, using: &stream))
    let most = Int(Duration.milliseconds(3) / each)
    let least = Int(Duration.milliseconds(45) / each) + 1
    let all = Int(Duration.milliseconds(100) / each)
    let range =
      way.letsFramesBetween
      ? 1...all : Bool.random(using: &stream) ? 1...max(1, most) : least...2 * least
    let drawn = Int.random(in: range, using: &stream)
    // In one piece, because the way in which others hand over several is unknown.
    (count, span) = way.isHandedOver ? (1, each * drawn) : (drawn, each)
  }

  /// Whether all of a burst runs in one turn, and that is longer than two periods.
  private var drops: Bool { !way.letsFramesBetween && span * count > .milliseconds(40) }

  var description: String {
    "\(seed), \(way.rawValue), \(count) times \(span), \(drops ? "drops" : "keeps")"
  }

  /// Measures the app for a second; prints its description and the verdict.
  @MainActor
  func judge() async throws {
    let flood = Flood(way: way, count: count, span: span, period: .milliseconds(330))
    let report = try await measureFrames(drawing: .milliseconds(2), for: .seconds(1)) { app in
      flood.declare(in: app)
    }
    // The last posts, and a delayed block, must not run in the measurement of the next app.
    try await Task.sleep(for: .milliseconds(300))
    let verdict = report.verdict(.droppedFrames, atMost: 0)
    say("\(self);\(drops);\(verdict.rawValue)")
    if verdict != (drops ? .missed : .met) {
      let undeclared = report.undeclared.pieces.map { "\($0.took) at \($0.began)" }
      say("\(self)\n\(report)\n\(undeclared)", on: .standardError)
    }
  }
}
