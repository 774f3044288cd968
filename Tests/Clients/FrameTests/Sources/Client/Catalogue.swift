/// Lives on the main actor.
@MainActor
final class Catalogue {
  private var photos: [Int] = []

  func add(_ photo: Int) { photos.append(photo) }
  var visible: [Int] { photos.suffix(20) }
}

/// Not `Sendable`: its owner keeps it on one thread.
final class Gallery {
  private var sums: [Int] = []

  func add(_ photo: Int) -> Int {
    sums.append((0..<20_000).reduce(photo) { ($0 &* 31) ^ $1 })
    return sums.count
  }
}

/// An actor of the default kind.
actor Hasher {
  private var count = 0

  func hash(_ photo: Int) -> Int {
    count += 1
    return (0..<20_000).reduce(photo) { ($0 &* 31) ^ $1 }
  }
}

/// The computation for a photo. `scripts/test-clients` changes its amount, and checks that the change is found.
enum Fingerprint {
  static let rounds = 200_000

  static func of(_ photo: Int) -> Int { (0..<rounds).reduce(photo) { ($0 &* 31) ^ $1 } }
}
