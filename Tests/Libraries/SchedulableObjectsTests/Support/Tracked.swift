/// A mutable, unsynchronised object that records the time and the thread of its death.
final class Tracked {
  var value = 0
  private let onDeath: @Sendable () -> Void

  init(onDeath: @escaping @Sendable () -> Void = {}) { self.onDeath = onDeath }

  deinit { onDeath() }
}
