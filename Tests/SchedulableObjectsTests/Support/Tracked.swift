/// A mutable, unsynchronised object that tells when and where it dies.
final class Tracked {
  var value = 0
  private let onDeath: @Sendable () -> Void

  init(onDeath: @escaping @Sendable () -> Void = {}) { self.onDeath = onDeath }

  deinit { onDeath() }
}
