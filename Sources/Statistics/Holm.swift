/// The correction for several tests at once (Holm 1979).
package enum Holm {
  /// Each p as it must be judged among all of them: in ascending order times the number that are left.
  package static func corrected(_ p: [Double]) -> [Double] {
    var corrected = p
    var largest = 0.0
    for (rank, index) in p.indices.sorted(by: { p[$0] < p[$1] }).enumerated() {
      largest = max(largest, min(1, p[index] * Double(p.count - rank)))
      corrected[index] = largest
    }
    return corrected
  }
}
