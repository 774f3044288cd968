/// Makes many runs, several at once perhaps.
public protocol RunMaker: Sendable {
  /// What `make` makes of 0 up to `count`, in that order; only the first ones where it was interrupted.
  func outputs<Output: Sendable>(
    _ count: Int, _ make: @escaping @Sendable (Int) -> Output
  ) -> [Output]
}

/// One run after the other, on the caller's thread.
public struct OneByOne: RunMaker {
  /// Nothing is there to choose.
  public init() {}

  public func outputs<Output: Sendable>(
    _ count: Int, _ make: @escaping @Sendable (Int) -> Output
  ) -> [Output] {
    (0..<count).map(make)
  }
}
