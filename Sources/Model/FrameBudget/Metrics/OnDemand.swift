internal import Synchronization

/// A value that is computed at the first request. If several threads come first, each computes it, and all get the same.
final class OnDemand<Value: Sendable>: Sendable {
  private final class Found: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private let compute: @Sendable () -> Value
  /// The address of the value's object, which is retained; 0 before the first request. An `AtomicLazyReference` would look up the
  /// metadata of its type at each request, which takes longer than all else.
  private let found = Atomic<UInt>(0)

  init(_ compute: @escaping @Sendable () -> Value) { self.compute = compute }

  deinit {
    let address = found.load(ordering: .acquiring)
    if address != 0 { unsafe Self.object(at: address).release() }
  }

  var value: Value {
    let address = found.load(ordering: .acquiring)
    return address != 0 ? unsafe Self.object(at: address)._withUnsafeGuaranteedRef(\.value) : make()
  }

  private func make() -> Value {
    let object = unsafe Unmanaged.passRetained(Found(compute()))
    let (isFirst, known) = found.compareExchange(
      expected: 0, desired: UInt(bitPattern: unsafe object.toOpaque()),
      ordering: .acquiringAndReleasing)
    guard !isFirst else { return unsafe object.takeUnretainedValue().value }
    unsafe object.release()
    return unsafe Self.object(at: known).takeUnretainedValue().value
  }

  /// Valid as long as this object lives, because only `deinit` releases what is there.
  private static func object(at address: UInt) -> Unmanaged<Found> {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else {
      preconditionFailure("an address that was stored: \(address)")
    }
    return unsafe Unmanaged.fromOpaque(pointer)
  }
}
