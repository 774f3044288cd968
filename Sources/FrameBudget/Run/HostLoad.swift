/// What others did on the machine during a run.
public struct HostLoad: Hashable, Sendable {
  /// Share of the processors' time that a hypervisor gave to others.
  public let stealPercent: Double
  /// Share of the processors' time that other processes used.
  public let othersPercent: Double

  public init(stealPercent: Double, othersPercent: Double) {
    self.stealPercent = stealPercent
    self.othersPercent = othersPercent
  }

  // Above these a quiet machine would have given other figures.
  public static let stealLimit = 1.0
  public static let othersLimit = 5.0

  public var isDisturbing: Bool {
    stealPercent > Self.stealLimit || othersPercent > Self.othersLimit
  }

  static var limits: String {
    "other processes used more than \(Decimal.text(othersLimit, places: 0)) % of the processors or the hypervisor "
      + "stole more than \(Decimal.text(stealLimit, places: 0)) %"
  }
}
