extension RefreshRate {
  /// The rate that a column `refresh_hz` printed, which rounds rates of n * 1000/1001 to six decimals.
  public init?(printed text: some StringProtocol) {
    for (_, rate) in Self.broadcastRates where Decimal.text(rate.hertz, places: 6) == text {
      self = rate
      return
    }
    guard let rate = try? Quantity.refreshRate("\(text) Hz") else { return nil }
    self = rate
  }
}
