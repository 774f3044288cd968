import Foundation
import FrameBudget
import FrameBudgetScenarios
import Testing

@testable import FrameBudgetAdvice

/// Scenarios that are shipped with the tool, with some changed values.
enum Shipped {
  static func request(_ name: String, _ changes: String...) throws -> AdviceRequest {
    let shipped = try #require(ShippedScenarios.scenario(name))
    let scenario = try ScenarioFile.parse(
      shipped.bytes, file: shipped.file,
      overrides: try changes.map { text throws(ScenarioError) in try Override(parsing: text) })
    return AdviceRequest(scenario, today: try #require(scenario.strategies.first))
  }

  /// Those with at most five services, of which all copies of one are one.
  static let small: [String] = ShippedScenarios.all.compactMap { shipped in
    guard let scenario = try? ScenarioFile.parse(shipped.bytes, file: shipped.file),
      MovableUnit.all(in: scenario).count <= 5
    else { return nil }
    return shipped.name
  }

  /// The requested scenarios of tests that take minutes: 1 for all, or names.
  private static let wanted = ProcessInfo.processInfo.environment["FRAMEBUDGET_EXHAUSTIVE"]

  static let isWhole = wanted != nil

  /// The requested scenarios of `small`.
  static let chosen = small.filter { name in
    wanted == "1" || wanted?.split(separator: ",").contains { $0 == name } == true
  }
}

extension AdviceRequest {
  /// The same app, changed by `change`.
  func with(_ change: (inout AdviceRequest) -> Void) -> AdviceRequest {
    var request = self
    change(&request)
    return request
  }
}
