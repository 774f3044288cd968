internal import Concurrency
internal import Dispatch

/// Something that happens once a time has passed, and of which nothing is left once it is cancelled.
///
/// `DispatchQueue.asyncAfter` keeps what it was given until the time has come, whatever became of it.
final class Delay: Sendable {
  private let timer: Locked<Timer?>

  // Sendable: of a dispatch source nothing is used but `cancel`, which may be called from any thread.
  private struct Timer: @unchecked Sendable {
    let source: any DispatchSourceTimer
  }

  init(_ delay: Duration, then body: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeTimerSource()
    timer = Locked(Timer(source: source))
    source.setEventHandler { [self] in
      body()
      cancel()
    }
    source.schedule(deadline: .after(delay))
    source.activate()
  }

  /// Lets go of the source, which lets go of its handler.
  func cancel() { timer.withLock { $0.take() }?.source.cancel() }
}
