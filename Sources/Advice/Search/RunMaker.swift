/// Makes many runs, several at once perhaps.
public protocol RunMaker: Sendable {
  /// Whether somebody ended it; what takes several runs for one output asks between them.
  var isInterrupted: Bool { get }

  /// What `make` makes of 0 up to `count`, in that order; only the first ones where it was interrupted.
  func outputs<Output: Sendable>(
    _ count: Int, _ make: @escaping @Sendable (Int) -> Output
  ) -> [Output]
}

/// One run after the other, on the caller's thread.
public struct OneByOne: RunMaker {
  /// Nothing is there to choose.
  public init() {}

  /// Nobody can.
  public var isInterrupted: Bool { false }

  public func outputs<Output: Sendable>(
    _ count: Int, _ make: @escaping @Sendable (Int) -> Output
  ) -> [Output] {
    (0..<count).map(make)
  }
}
