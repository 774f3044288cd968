import FrameBudget

@testable import FrameBudgetRealTime

extension CarrierKind {
  /// Starts a lane on it.
  func start(_ lane: Lane) throws(CarrierError) -> any Carrier {
    try CarrierSupply.ofThisBuild.start(lane)
  }
}
