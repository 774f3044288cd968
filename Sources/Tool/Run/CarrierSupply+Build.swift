internal import RealTime

#if NIO
  internal import FrameBudget
  internal import RealTimeNIO
#endif

extension CarrierSupply {
  /// What real runs of this build have: SwiftNIO's event loop only where it was built with it.
  static var ofThisBuild: CarrierSupply {
    #if NIO
      CarrierSupply().adding(.nio, NIOCarrier.self)
    #else
      CarrierSupply()
    #endif
  }
}
