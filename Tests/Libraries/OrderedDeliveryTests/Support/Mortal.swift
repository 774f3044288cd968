/// Reports its deinitialisation.
final class Mortal: Sendable {
  private let onDeath: @Sendable () -> Void

  init(onDeath: @escaping @Sendable () -> Void) { self.onDeath = onDeath }

  deinit { onDeath() }
}
