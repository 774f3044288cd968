/// Something for each lane, or for each lock, and so on: an array into which only an index of its own kind leads.
public struct IndexedArray<Kind, Element> {
  @usableFromInline var elements: ContiguousArray<Element>

  /// Something for each, in their order.
  @inlinable
  public init(_ elements: some Sequence<Element>) { self.elements = ContiguousArray(elements) }

  /// Something else for each.
  @inlinable
  public func mapValues<Other>(_ other: (Element) -> Other) -> IndexedArray<Kind, Other> {
    IndexedArray<Kind, Other>(elements.map(other))
  }

  /// Each with its index, in their order.
  public var indexed: Zip2Sequence<Range<TypedIndex<Kind>>, Self> { zip(indices, self) }
}

extension IndexedArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  @inlinable
  public init() { elements = [] }

  @inlinable @inline(__always)
  public var startIndex: TypedIndex<Kind> { TypedIndex(0) }
  @inlinable @inline(__always)
  public var endIndex: TypedIndex<Kind> { TypedIndex(elements.count) }

  // In place, as a getter would copy what is looked into; transparent, as calls would cost the virtual engine 2 %.
  @inlinable
  public subscript(index: TypedIndex<Kind>) -> Element {
    @_transparent _read { yield elements[index.position] }
    @_transparent _modify { yield &elements[index.position] }
  }

  @inlinable
  public func makeIterator() -> ContiguousArray<Element>.Iterator { elements.makeIterator() }

  public mutating func replaceSubrange(
    _ range: Range<TypedIndex<Kind>>, with others: some Collection<Element>
  ) {
    elements.replaceSubrange(range.lowerBound.position..<range.upperBound.position, with: others)
  }
}

extension IndexedArray: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension IndexedArray: Equatable where Element: Equatable {}
extension IndexedArray: Hashable where Element: Hashable {}
extension IndexedArray: Sendable where Element: Sendable {}
