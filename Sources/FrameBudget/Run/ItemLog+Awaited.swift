extension ItemLog {
  /// When each item arrived that somebody waits for, and the vsync that showed its result, if one has; in the order of
  /// arrival, without those that were given up. Empty where nobody waits.
  public var awaited: [(arrival: Instant, shown: Instant?)] {
    guard respondWithin != nil else { return [] }
    return arrivals.indices.compactMap { item in
      guard isWaitedFor(item) else { return nil }
      let shown = responses[item]
      return (
        Instant(nanoseconds: arrivals[item]), shown < 0 ? nil : Instant(nanoseconds: shown)
      )
    }
  }
}
