public import FrameBudget

/// By how many percent costs may grow before an aim is missed in more than a tenth of the variants of the scenario.
public struct Margin: Hashable, Sendable {
  /// Whose costs: a service by its name in the file, nil for all that takes a processor.
  public let service: String?
  /// The largest growth that was tried at which enough variants reach all aims; 0 too where too few reach them today.
  public let percent: Int
  /// How far each aim by itself is reached, in the order of the aims; none is below `percent`.
  public let ends: [End]

  /// Whether more was not looked for.
  public var isLimit: Bool { percent == Self.most }

  /// The aim that is missed first, of several the first one; nil where costs may grow as far as was looked.
  public var end: End? {
    ends.filter { !$0.isLimit }.min { $0.percent < $1.percent }
  }

  /// How far costs may grow before one aim is missed.
  public struct End: Hashable, Sendable {
    /// What is to be reached.
    public let aim: Aim
    /// The largest growth that was tried at which enough variants reach it.
    public let percent: Int
    /// Whether more was not looked for.
    public var isLimit: Bool { percent == Margin.most }
  }

  /// More than this is not looked for.
  public static let most = 400
  /// Below this an error of measuring overturns the advice.
  public static let fragile = 5

  /// What is tried: whole percents up to 20, then steps of about a twentieth; what variants bear differs by more.
  static let steps: [Int] =
    Array(0..<20)
    + [(20, 2), (40, 4), (80, 8), (160, 16), (320, 20)].flatMap { start, step in
      stride(from: start, to: start == 320 ? most + 1 : 2 * start, by: step)
    }

  /// `scenario` with costs that are `percent` percent higher.
  static func raised(
    _ scenario: Scenario, by percent: Int, in services: [ServiceIndex]?
  ) -> Scenario {
    let factor = Double(100 + percent) / 100
    return services.map { scenario.costing(factor, in: Set($0)) } ?? scenario.costing(factor)
  }
}
