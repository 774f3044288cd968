/// What a strategy pays for what it does: milliseconds that lie on different threads, so their sum is a rule to rank
/// by and no time that passes.
public struct StrategyPrice: Hashable, Sendable {
  public enum Kind: CaseIterable, Sendable { case lockWait, copying, handOff }

  /// How long the main thread was blocked on locks, in milliseconds (`lock_wait_ms_total`).
  public let lockWait: Double
  /// Copying state for snapshots, on whichever thread, in milliseconds (`publish_ms_total`).
  public let copying: Double
  /// Handing items over and taking their results on the main thread, in milliseconds (`handoff_us_per_item` × items).
  public let handOff: Double

  public init(lockWait: Double, copying: Double, handOff: Double) {
    self.lockWait = lockWait
    self.copying = copying
    self.handOff = handOff
  }

  /// In milliseconds.
  public var total: Double { lockWait + copying + handOff }

  /// In milliseconds.
  public subscript(kind: Kind) -> Double {
    switch kind {
    case .lockWait: lockWait
    case .copying: copying
    case .handOff: handOff
    }
  }

  /// The kind that most of it is, the first of equal ones; nil of nothing.
  public var mainKind: Kind? {
    Kind.allCases.reduce(nil) { most, kind in
      self[kind] > (most.map { self[$0] } ?? 0) ? kind : most
    }
  }
}
