internal import SchedulableThreads
internal import Dispatch
internal import Foundation

/// Lets a main thread sleep in its run loop, and a task without a thread, until an event arrives; or wakes a foreign loop.
final class MainSleeper: Parker {
  private enum State {
    case awake
    /// Woken before it fell asleep.
    case woken
    case asleep(CheckedContinuation<Void, Never>)
  }

  private let state = Locked(State.awake)
  /// One timer for all sleeps, because timers of interrupted sleeps would pile up.
  private let alarm = Locked<(any DispatchSourceTimer)?>(nil)

  private let wake: (@Sendable () -> Void)?

  init(wake: (@Sendable () -> Void)? = nil) { self.wake = wake }

  /// Whether it wakes a foreign loop.
  var wakesLoop: Bool { wake != nil }

  deinit { alarm.withLock { $0?.cancel() } }

  static var isMainThread: Bool { Thread.isMainThread }

  // MARK: In the run loop

  func park(forNanoseconds nanoseconds: Int64?) {
    Self.serveRunLoop(forNanoseconds: nanoseconds)
  }

  /// Runs the due work of the run loop, the main queue and the `MainActor`, and waits if there is none.
  static func serveRunLoop(forNanoseconds nanoseconds: Int64?) {
    let end = nanoseconds.map { Date(timeIntervalSinceNow: Double($0) / 1e9) }
    _ = RunLoop.main.run(mode: .default, before: end ?? .distantFuture)
  }

  // MARK: As a task

  func sleep(forNanoseconds nanoseconds: Int64?) async {
    setAlarm(nanoseconds)
    await withCheckedContinuation { continuation in
      let isWoken = state.withLock { state in
        if case .woken = state {
          state = .awake
          return true
        }
        state = .asleep(continuation)
        return false
      }
      if isWoken { continuation.resume() }
    }
  }

  /// Wakes after this time; with nil not at all.
  func setAlarm(_ nanoseconds: Int64?) {
    let deadline = nanoseconds.map { DispatchTime.now() + .nanoseconds(Int(clamping: $0)) }
    alarm.withLock { alarm in
      if alarm == nil, deadline != nil {
        alarm = DispatchSource.makeTimerSource()
        alarm?.setEventHandler { [weak self] in self?.unpark() }
        alarm?.schedule(deadline: deadline ?? .distantFuture)
        alarm?.activate()
      } else {
        alarm?.schedule(deadline: deadline ?? .distantFuture)
      }
    }
  }

  // MARK: Any thread

  func unpark() {
    if let wake { return wake() }
    let sleeping = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if case .asleep(let continuation) = state {
        state = .awake
        return continuation
      }
      state = .woken
      return nil
    }
    if let sleeping {
      sleeping.resume()
    } else {
      // The run loop returns once it has served the main queue.
      DispatchQueue.main.async {}
    }
  }
}
