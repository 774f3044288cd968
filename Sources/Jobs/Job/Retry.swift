/// The number of retries of a failed job, and the waits before them.
public struct Retry: Hashable, Codable, Sendable {
  /// The number of retries.
  public var limit: Int
  /// The wait before the first retry; each further wait is twice as long.
  public var first: Duration
  /// The longest wait.
  public var longest: Duration

  /// - Parameters:
  ///   - limit: the number of retries; not negative.
  ///   - first: the wait before the first retry; each further wait is twice as long.
  ///   - longest: the longest wait; not shorter than the first.
  public init(limit: Int, first: Duration = .seconds(1), longest: Duration = .seconds(3600)) {
    precondition(limit >= 0 && first >= .zero && longest >= first, "waits that grow")
    self.limit = limit
    self.first = first
    self.longest = longest
  }

  /// No retries.
  public static let never = Retry(limit: 0)

  /// The wait after this number of consecutive failures, from 1: first × 2^(failures − 1), at most the longest.
  public func wait(afterFailures failures: Int) -> Duration {
    var wait = first
    for _ in 1..<max(failures, 1) where wait < longest { wait *= 2 }
    return min(wait, longest)
  }
}
