import FrameBudget

@testable import RealTime

#if NIO
  import RealTimeNIO
#endif

extension CarrierSupply {
  /// All of the project's carriers that this build contains.
  static var ofThisBuild: CarrierSupply {
    #if NIO
      CarrierSupply().adding(.nio, NIOCarrier.self)
    #else
      CarrierSupply()
    #endif
  }
}

extension CarrierKind {
  /// Starts a lane on it.
  func start(_ lane: Lane) throws(CarrierError) -> any Carrier {
    try CarrierSupply.ofThisBuild.start(lane)
  }
}
