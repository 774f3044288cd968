import SchedulableObjects
import Testing

/// A thread that checks a condition every few milliseconds.
final class Watcher: Sendable {
  private let thread: ThreadScheduler?
  private let look: @Sendable () -> Void

  init(_ look: @escaping @Sendable () -> Void) {
    self.look = look
    thread = try? ThreadScheduler(name: "watcher")
    #expect(thread != nil)
    tick()
  }

  func stop() { thread?.shutdownBlocking(.drop) }

  private func tick() {
    thread?.schedule(after: .milliseconds(3)) { [weak self] in
      self?.look()
      self?.tick()
    }
  }
}
