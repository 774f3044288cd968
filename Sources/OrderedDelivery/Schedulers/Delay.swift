internal import Concurrency
internal import Dispatch

/// A delayed closure that is released when it is cancelled.
///
/// `DispatchQueue.asyncAfter` keeps its closure until its time, even if it is not needed any more.
final class Delay: Sendable {
  private let timer: Locked<Timer?>

  // Sendable: only `cancel` of the dispatch source is used, which any thread may call.
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

  /// Cancels and releases the source, which releases its handler.
  func cancel() { timer.withLock { $0.take() }?.source.cancel() }
}
