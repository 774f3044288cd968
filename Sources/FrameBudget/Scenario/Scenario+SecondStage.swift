extension Scenario {
  /// That the second stage cannot keep up with the screen, as a sentence: allowed, and hardly meant.
  public var slowSecondStage: [String] {
    let (mean, period) = (display.pipeline.compositor.mean, display.refresh.period)
    guard mean > period else { return [] }
    return [
      "the compositor takes \(mean), longer than a period of \(period): however many buffers there are, it cannot "
        + "keep up"
    ]
  }
}
