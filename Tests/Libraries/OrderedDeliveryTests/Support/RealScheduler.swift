import OrderedDelivery

/// A scheduler on this machine's threads and clock.
enum RealScheduler {
  static func make(isSerial: Bool) -> any DeliveryScheduler {
    isSerial ? SerialScheduler(name: "serial") : ConcurrentScheduler(name: "pool", width: 2)
  }
}
