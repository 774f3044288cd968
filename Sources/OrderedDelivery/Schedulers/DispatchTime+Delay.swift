internal import Dispatch

extension DispatchTime {
  /// The time `delay` from now; `distantFuture` if the clock cannot represent it.
  static func after(_ delay: Duration) -> DispatchTime {
    let (seconds, attoseconds) = delay.components
    guard seconds < Int64.max / 2_000_000_000 else { return .distantFuture }
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    return .now() + DispatchTimeInterval.nanoseconds(Int(nanoseconds))
  }
}
