internal import Dispatch

extension DispatchTime {
  /// The time so much later than now; never, for what the clock cannot hold.
  static func after(_ delay: Duration) -> DispatchTime {
    let (seconds, attoseconds) = delay.components
    guard seconds < Int64.max / 2_000_000_000 else { return .distantFuture }
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    return .now() + DispatchTimeInterval.nanoseconds(Int(nanoseconds))
  }
}
