internal import Concurrency

/// Which workloads meet on an actor, and how long their items wait there for one another.
///
/// An actor runs all that waits for it in one go, on the thread of whoever came first. So an item that had to wait is handed
/// back to the main actor from within a piece of another one. Workloads that meet take turns, in the model on one lane.
struct SharedActors {
  /// By workload: the first of those that it meets, directly or by way of others.
  private var first: [Int]
  /// Since when the piece ran in which an item was served.
  private var served: [Return: Int64] = [:]

  private struct Return: Hashable {
    let item: UInt32
    let posted: Int64
  }

  init(_ measured: Measured) {
    first = Array(measured.workloads.indices)
    var pieces: [UInt32: [WorkSegment]] = [:]
    for segment in measured.segments where segment.place == Measured.pool {
      pieces[segment.item, default: []].append(segment)
    }
    for segment in measured.segments where segment.poster != segment.item {
      let piece = pieces[segment.poster]?.first {
        $0.began <= segment.posted && segment.posted <= $0.ended
      }
      guard let piece, let item = measured[segment.item], let host = measured[segment.poster]
      else { continue }
      served[Return(item: segment.item, posted: segment.posted)] = piece.began
      join(item.workload, host.workload)
    }
  }

  private mutating func join(_ some: Int, _ other: Int) {
    let (kept, joined) = (min(first[some], first[other]), max(first[some], first[other]))
    for place in first.indices where first[place] == joined { first[place] = kept }
  }

  /// Which workload the lane is named by on which items of `workload` have their turn.
  func host(of workload: Int) -> Int { first[workload] }

  /// Whether items of `workload` meet those of others.
  func isShared(_ workload: Int) -> Bool { first.count { $0 == first[workload] } > 1 }

  /// Since when another item's piece ran that `segment` was handed back from; nil where none did.
  func servedSince(_ segment: WorkSegment) -> Int64? {
    served[Return(item: segment.item, posted: segment.posted)]
  }
}

extension Measured {
  /// The item of that id; nil where there is none.
  subscript(id: UInt32) -> MeasuredItem? {
    let place = Int(id) - 1
    return items.indices.contains(place) ? items[place] : nil
  }
}
