import Foundation

/// A stay inside several places at once.
final class Stay: @unchecked Sendable {
  // Sendable: `places` is only used under `lock`.
  private let lock = NSLock()
  private var places: [Running]

  init(in places: [Running]) {
    self.places = places
    for place in places { place.enter() }
  }

  /// Leaves the places, unless another thread does so: then waits until it has.
  func end() {
    lock.withLock {
      for place in places { place.leave() }
      places = []
    }
  }
}
