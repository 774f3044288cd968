internal import FrameBudget

/// Asked again and again by whoever waits for a lock: for how long to go on waiting before asking again; nil to
/// give up.
///
/// A signal cannot wake a thread that waits for a lock, so that one looks itself whether the run is over.
typealias Patience = () -> TimeSpan?

extension TimeSpan {
  /// How often somebody looks who waits for a lock: what an interrupted run takes longer at most.
  static let lockWaitSlice = TimeSpan.milliseconds(100)
}
