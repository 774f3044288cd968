/// A scenario's expectation: a bound on one metric of one strategy on one engine.
public struct Expectation: Hashable, Sendable {
  /// The engine of the runs.
  public var engine: EngineKind
  /// A name, for every row of that strategy, or a name with options, for exactly that row.
  public var strategy: String
  /// The bound.
  public var aim: Aim

  /// - Parameters:
  ///   - engine: the engine of the runs.
  ///   - strategy: its name, alone or with options.
  ///   - aim: the bound.
  public init(engine: EngineKind, strategy: String, _ aim: Aim) {
    self.engine = engine
    self.strategy = strategy
    self.aim = aim
  }

  /// Whether it is about the runs of a strategy on an engine.
  package func concerns(_ name: String, label: String, on engine: EngineKind?) -> Bool {
    self.engine == engine && [name, label].contains(strategy)
  }
}

/// A bound on one metric, for any engine and strategy.
public struct Aim: Hashable, Sendable {
  /// The name in `MetricCatalog`.
  public var metric: String
  /// In the metric's unit; nil for none.
  public var minimum: Double?
  /// In the metric's unit; nil for none.
  public var maximum: Double?

  /// - Parameters:
  ///   - metric: the name in `MetricCatalog`.
  ///   - minimum: in the metric's unit; nil for none.
  ///   - maximum: in the metric's unit; nil for none.
  public init(_ metric: String, minimum: Double? = nil, maximum: Double? = nil) {
    self.metric = metric
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Whether `found` is certainly within the bounds: a lower bound may exceed any maximum.
  public func holds(for found: Observation) -> Bool {
    if maximum != nil && found.isBound { return false }
    return found.value >= minimum ?? -.infinity && found.value <= maximum ?? .infinity
  }
}

/// An engine that runs scenarios.
public enum EngineKind: String, CaseIterable, Sendable {
  /// On this machine's threads and clock.
  case real
  /// In simulated time.
  case virtual
}
