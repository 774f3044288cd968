internal import FrameBudget

/// An item on its way, with the step that comes next.
struct Item: Equatable {
  var workload: WorkloadIndex = 0
  var step: Int32 = 0
  var number: Int32 = 0

  /// The same item with the step after this one.
  var next: Item { Item(workload: workload, step: step + 1, number: number) }
  /// The same item with another step.
  func at(_ step: Int32) -> Item { Item(workload: workload, step: step, number: number) }
  /// The same item whatever its step, so that items that are done stand in one row.
  var atStart: Item { at(0) }
}

/// Items with the time at which each came, first come first.
struct TimedItems {
  private var items: ContiguousArray<(item: Item, at: Instant)> = []
  private var head = 0

  mutating func append(_ item: Item, at instant: Instant) { items.append((item, instant)) }

  var count: Int { items.count - head }

  /// When the first one came.
  var first: Instant? { head < items.count ? items[head].at : nil }

  mutating func popFirst() -> (item: Item, at: Instant)? {
    guard head < items.count else { return nil }
    defer {
      head += 1
      // What was taken goes once it is the larger part, so that a backlog costs no more than its length.
      if head * 2 > items.count {
        items.removeSubrange(..<head)
        head = 0
      }
    }
    return items[head]
  }
}

/// Items in the order in which they came; a row of items of one workload takes as little room as one of them.
struct ItemQueue {
  /// `count` items with successive numbers, at the same step.
  private struct Row {
    var first = Item()
    var count: Int32 = 0
  }

  private(set) var count = 0
  /// A ring: its size is a power of two, its first row is at `head`.
  private var rows: ContiguousArray<Row>
  private var head = 0
  private var rowCount = 0

  init() { rows = ContiguousArray(repeating: Row(), count: 16) }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ item: Item) {
    count += 1
    if rowCount > 0 {
      let last = place(rowCount - 1)
      if rows[last].first.workload == item.workload && rows[last].first.step == item.step
        && rows[last].first.number + rows[last].count == item.number
      {
        rows[last].count += 1
        return
      }
    }
    if rowCount == rows.count { grow() }
    rows[place(rowCount)] = Row(first: item, count: 1)
    rowCount += 1
  }

  /// Puts an item in front of all others.
  mutating func prepend(_ item: Item) {
    count += 1
    if rowCount == rows.count { grow() }
    head = (head + rows.count - 1) & (rows.count - 1)
    rows[head] = Row(first: item, count: 1)
    rowCount += 1
  }

  var first: Item? { count == 0 ? nil : rows[head].first }

  mutating func popFirst() -> Item? {
    guard count > 0 else { return nil }
    count -= 1
    let item = rows[head].first
    rows[head].first.number += 1
    rows[head].count -= 1
    if rows[head].count == 0 {
      head = (head + 1) & (rows.count - 1)
      rowCount -= 1
    }
    return item
  }

  private func place(_ row: Int) -> Int { (head + row) & (rows.count - 1) }

  private mutating func grow() {
    var larger = ContiguousArray(repeating: Row(), count: rows.count * 2)
    for row in 0..<rowCount { larger[row] = rows[place(row)] }
    rows = larger
    head = 0
  }
}
