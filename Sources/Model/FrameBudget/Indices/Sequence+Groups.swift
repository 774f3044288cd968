extension Sequence {
  /// The elements with equal keys together, in the order of the first element of each group.
  @inlinable
  package func grouped<Key: Hashable>(
    by key: (Element) -> Key
  ) -> [(key: Key, elements: [Element])] {
    var groupIndices: [Key: Int] = [:]
    var groups: [(key: Key, elements: [Element])] = []
    for element in self {
      let own = key(element)
      if let index = groupIndices[own] {
        groups[index].elements.append(element)
      } else {
        groupIndices[own] = groups.count
        groups.append((own, [element]))
      }
    }
    return groups
  }
}

extension Sequence where Element: Hashable {
  /// The first of equal elements, in their order.
  @inlinable
  package func distinct() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
