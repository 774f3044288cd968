/// What handing something over to another thread costs.
public struct HandOffCosts: Hashable, Sendable {
  /// Whoever hands over, every time.
  public var post: TimeSpan
  /// Whoever hands over, when the receiver sleeps and has to be woken.
  public var wake: TimeSpan
  /// Until the receiver that was woken is ready to run: from when whoever hands over is through with that, but of a
  /// lock from the beginning of its release.
  public var latency: TimeSpan
  /// Whoever hands over, and the receiver at the end of each event, for every event that waits: a list that is walked,
  /// a file that is written anew.
  public var perWaiting: TimeSpan
  /// How long a receiver that found nothing sleeps before it looks again; zero where it is woken.
  public var lookEvery: TimeSpan
  /// The receiver, for each event, before what it is to run: decoding it, starting an operation.
  public var run: TimeSpan
  /// Whoever restores what earlier runs have left, once, for each of it.
  public var perKept: TimeSpan

  /// The costs; what is left out costs nothing.
  public init(
    post: TimeSpan, wake: TimeSpan, latency: TimeSpan, perWaiting: TimeSpan = .zero,
    lookEvery: TimeSpan = .zero, run: TimeSpan = .zero, perKept: TimeSpan = .zero
  ) {
    self.post = post
    self.wake = wake
    self.latency = latency
    self.perWaiting = perWaiting
    self.lookEvery = lookEvery
    self.run = run
    self.perKept = perKept
  }

  /// Handing over for nothing.
  public static let none = HandOffCosts(post: .zero, wake: .zero, latency: .zero)
}
