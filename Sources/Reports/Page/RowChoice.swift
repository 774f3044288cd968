internal import FrameBudget

/// The rows that differ most, so that what is shown of many is not the same thing over and over.
struct RowChoice {
  /// Their places, in the order of the rows.
  let chosen: [Int]

  /// Begins with the first row and the one that is advised, and adds what is least like any that is there.
  init(_ rows: [PageRow], most: Int, _ verdicts: [Verdict]) {
    guard rows.count > most else {
      chosen = Array(rows.indices)
      return
    }
    let places = Self.places(of: rows)
    let best = verdicts.first?.best?.label
    var chosen = [0]
    if let best = rows.firstIndex(where: { $0.subject.label == best }), best > 0 {
      chosen.append(best)
    }
    // How far each row is from the nearest one that is chosen.
    var nearest = places.map { place in
      chosen.map { Self.distance(place, places[$0]) }.min() ?? 0
    }
    while chosen.count < most {
      var farthest = (row: 0, distance: -1.0)
      for row in rows.indices where nearest[row] > farthest.distance && !chosen.contains(row) {
        farthest = (row, nearest[row])
      }
      chosen.append(farthest.row)
      for row in rows.indices {
        nearest[row] = min(nearest[row], Self.distance(places[row], places[farthest.row]))
      }
    }
    self.chosen = chosen.sorted()
  }

  private static let metrics = [
    Metric.droppedPercent, .hitchMax, .responsesLate, .itemsPending, .lockWait, .publishing,
    .handOff,
  ].map(\.name)

  /// Each metric as a share of the largest.
  private static func places(of rows: [PageRow]) -> [[Double]] {
    let columns = metrics.map { metric in rows.map { $0.value(metric) ?? 0 } }
    let largest = columns.map { max($0.max() ?? 0, 1e-9) }
    return rows.indices.map { row in
      columns.indices.map { columns[$0][row] / largest[$0] }
    }
  }

  private static func distance(_ left: [Double], _ right: [Double]) -> Double {
    zip(left, right).reduce(0) { $0 + abs($1.0 - $1.1) }
  }
}
