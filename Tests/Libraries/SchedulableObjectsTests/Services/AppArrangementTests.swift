import TestSupport
import Testing

@testable import SchedulableObjects

/// Arrangements as text.
@Suite struct AppArrangementTests {
  @Test func `lanes, their options and services are read`() throws {
    let read = try AppArrangement(
      "background nice=10 overtaking: thumbnail, index; yield ; io nice=-3: store;")
    let lanes = [
      AppArrangement.Lane(
        name: "background", nice: 10, isOvertaking: true, services: ["thumbnail", "index"]),
      AppArrangement.Lane(name: "io", nice: -3, services: ["store"]),
    ]
    #expect(read == AppArrangement(lanes: lanes, yields: true))
  }

  @Test func `no text leaves everything on the main thread`() throws {
    #expect(try AppArrangement("") == AppArrangement())
    #expect(AppArrangement().description.isEmpty)
  }

  @Test(arguments: 0..<200)
  func `an arrangement is read back equal from its text`(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed)
    let lanes = (0..<Int.random(in: 0...4, using: &random)).map { lane in
      AppArrangement.Lane(
        name: "lane-\(lane)",
        nice: Bool.random(using: &random) ? Int.random(in: -20...19, using: &random) : nil,
        isOvertaking: Bool.random(using: &random),
        services: (0...Int.random(in: 0...3, using: &random)).map { "service \(lane).\($0)" })
    }
    let arrangement = AppArrangement(lanes: lanes, yields: Bool.random(using: &random))
    #expect(try AppArrangement(arrangement.description) == arrangement)
  }

  @Test(arguments: [
    ("background thumbnail", "has no ':' before its services"),
    (": thumbnail", "has no name of letters, digits, - and _"),
    ("a,b: thumbnail", "has no name of letters, digits, - and _"),
    ("background nice=20: thumbnail", "'nice=20' is neither"),
    ("background nice=: thumbnail", "'nice=' is neither"),
    ("background fast: thumbnail", "'fast' is neither"),
    ("background: ,", "names no service"),
    ("a: index; b: index", "'index' is there twice"),
    ("a: index; a: store", "'a' is there twice"),
  ])
  func `a wrong part is named`(text: String, reason: String) throws {
    let error = try #require(throws: AppArrangementError.self) { try AppArrangement(text) }
    #expect(error.reason.hasPrefix(reason))
    #expect(text.contains(error.part) && error.description.contains(error.part))
  }
}
