extension Metric {
  /// Whether more of it is better; of everything else less is.
  public var isBetterHigher: Bool { Self.betterHigher.contains(name) }

  private static let betterHigher: Set<String> = [
    "expected_frames", "presented_frames", "average_fps", "low_1pct_fps", "items_done",
    "throughput_per_s",
  ]
}
