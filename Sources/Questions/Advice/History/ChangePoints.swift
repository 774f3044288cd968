internal import FrameBudget

/// A place in a series of measurements at which its level changes.
package struct ChangePoint: Equatable, Sendable {
  /// The place of the first value after the change.
  package let place: Int
  /// The share of random orders of the values around it in which a change seems as large.
  package let p: Double
}

/// The search for change points of a series of measurements, which are independent and alike between changes.
///
/// E-divisive (Matteson, James 2014, JASA 109, 334-345), as for benchmarks of commits (Daly, Brown, Ingo, O'Leary, Bradford 2020,
/// ICPE, 67-75): a series is split where the energy distance of the values before and after, weighted by their numbers, is
/// largest. The split stands if at most one in a hundred random orders of the series has one that is as large; then both parts are
/// searched in the same way. In a series without changes every order is equally likely, so at most one series in a hundred has a
/// false change point, whatever its distribution.
package enum ChangePointSearch {
  /// The share of series without changes in which one is found.
  package static let significance = 0.01
  /// The random orders of each test, with the given one.
  package static let orders = 500
  /// The fewest values before and after a change.
  package static let shortest = 3
  /// With fewer values no change can be found: the values of 10 have 252 orders in two halves.
  package static let fewest = 10

  /// The change points of `values`, in their order; the same for the same values.
  package static func changePoints(of values: some Collection<Double>) -> [ChangePoint] {
    var found: [ChangePoint] = []
    split(Array(values)[...], into: &found)
    return found
  }

  private static func split(_ values: ArraySlice<Double>, into found: inout [ChangePoint]) {
    guard values.count >= fewest, let change = change(in: EnergySeries(values)) else { return }
    let place = values.startIndex + change.place
    split(values[..<place], into: &found)
    found.append(ChangePoint(place: place, p: change.p))
    split(values[place...], into: &found)
  }

  /// The most likely change, by its place in the series; nil if it may be chance.
  private static func change(in series: EnergySeries) -> ChangePoint? {
    guard let best = series.largestSplit else { return nil }
    var shuffled = series
    var stream = RandomStream(seed: 1, name: "orders", index: series.count)
    // The given order is one of them.
    let most = Int(significance * Double(orders))
    var asLarge = 1
    for _ in 1..<orders {
      shuffled.shuffle(&stream)
      guard shuffled.reaches(best.distance) else { continue }
      asLarge += 1
      // It cannot become significant any more (Besag, Clifford 1991).
      if asLarge > most { return nil }
    }
    return ChangePoint(place: best.place, p: Double(asLarge) / Double(orders))
  }
}

/// A series with the distances that do not depend on its order.
private struct EnergySeries {
  private struct Point {
    let value: Double
    /// The sum of its distances to all others.
    let distances: Double
  }

  private var points: [Point]
  /// The sum of the distances of all pairs.
  private let all: Double

  init(_ values: ArraySlice<Double>) {
    points = values.map { value in
      Point(value: value, distances: values.reduce(0) { $0 + abs($1 - value) })
    }
    all = points.reduce(0) { $0 + $1.distances } / 2
  }

  var count: Int { points.count }

  mutating func shuffle(_ stream: inout RandomStream) { points.shuffle(using: &stream) }

  /// The split with the largest energy distance; nil if all values are equal.
  var largestSplit: (place: Int, distance: Double)? {
    guard all > 0 else { return nil }
    var best: (place: Int, distance: Double)?
    forEachSplit { place, distance in
      if distance > best?.distance ?? 0 { best = (place, distance) }
      return false
    }
    return best
  }

  /// Whether a split has at least that distance, but for rounding.
  func reaches(_ distance: Double) -> Bool {
    let enough = distance - 1e-9 * all
    return forEachSplit { $1 >= enough }
  }

  /// Passes the number of values before each split, and the energy distance times the harmonic weight of both sides (Matteson,
  /// James 2014, equations 5 and 7, with the exponent 1), until `isEnough`.
  @discardableResult
  private func forEachSplit(_ isEnough: (Int, Double) -> Bool) -> Bool {
    var (sums, before) = (0.0, 0.0)
    for place in points.indices.dropFirst() {
      let newest = points[place - 1]
      for earlier in points[..<(place - 1)] { before += abs(newest.value - earlier.value) }
      sums += newest.distances
      let (m, n) = (Double(place), Double(count - place))
      guard min(place, count - place) >= ChangePointSearch.shortest else { continue }
      let across = sums - 2 * before
      let after = all - before - across
      let energy = 2 * across / (m * n) - 2 * before / (m * (m - 1)) - 2 * after / (n * (n - 1))
      if isEnough(place, m * n / (m + n) * energy) { return true }
    }
    return false
  }
}
