/// What others did on the machine during a run.
public struct HostLoad: Hashable, Sendable {
  /// Share of the processors' time that a hypervisor gave to others.
  public let stealPercent: Double
  /// Share of the processors' time that other processes used.
  public let othersPercent: Double

  /// - Parameters:
  ///   - stealPercent: of the processors' time, what a hypervisor gave to others.
  ///   - othersPercent: of the processors' time, what other processes used.
  public init(stealPercent: Double, othersPercent: Double) {
    self.stealPercent = stealPercent
    self.othersPercent = othersPercent
  }

  // Above these a quiet machine would have given other figures.
  /// From more steal than this on, in percent, a run is disturbed.
  public static let stealLimit = 1.0
  /// From more use by other processes than this on, in percent, a run is disturbed.
  public static let othersLimit = 5.0

  /// Whether a quiet machine would have given other figures.
  public var isDisturbing: Bool {
    stealPercent > Self.stealLimit || othersPercent > Self.othersLimit
  }

  static var limits: String {
    "other processes used more than \(Decimal.text(othersLimit, places: 0)) % of the processors or the hypervisor "
      + "stole more than \(Decimal.text(stealLimit, places: 0)) %"
  }
}
