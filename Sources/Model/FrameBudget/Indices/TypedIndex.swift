/// An index of one kind of list, such as lanes or locks; indices of different lists cannot be mixed up.
///
/// It has four bytes, so that an optional one is as small as an `Int`: "none" is nil, never a number.
public struct TypedIndex<Kind>: Hashable, Sendable {
  @usableFromInline let number: UInt32

  /// - Parameter position: from 0.
  @inlinable @inline(__always)
  public init(_ position: Int) { number = UInt32(position) }

  /// From 0.
  @inlinable @inline(__always)
  public var position: Int { Int(number) }
}

extension TypedIndex: Strideable {
  @inlinable @inline(__always)
  public static func == (left: Self, right: Self) -> Bool { left.number == right.number }
  @inlinable @inline(__always)
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
  @inlinable @inline(__always)
  public func distance(to other: Self) -> Int { other.position - position }
  @inlinable @inline(__always)
  public func advanced(by count: Int) -> Self { Self(position + count) }
}

extension TypedIndex: ExpressibleByIntegerLiteral {
  public init(integerLiteral position: Int) { self.init(position) }
}

extension TypedIndex: CustomStringConvertible {
  public var description: String { String(position) }
}

/// A value for each lane, each lock, and so on: an array with an index type of its own.
public struct IndexedArray<Kind, Element> {
  @usableFromInline var elements: ContiguousArray<Element>

  /// Creates an array of the elements, in their order.
  @inlinable
  public init(_ elements: some Sequence<Element>) { self.elements = ContiguousArray(elements) }

  /// Transforms each element.
  @inlinable
  public func mapValues<Other>(_ other: (Element) -> Other) -> IndexedArray<Kind, Other> {
    IndexedArray<Kind, Other>(elements.map(other))
  }

  /// The elements with their indices, in their order.
  public var indexed: Zip2Sequence<Range<TypedIndex<Kind>>, Self> { zip(indices, self) }
}

extension IndexedArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  @inlinable
  public init() { elements = [] }

  @inlinable @inline(__always)
  public var startIndex: TypedIndex<Kind> { TypedIndex(0) }
  @inlinable @inline(__always)
  public var endIndex: TypedIndex<Kind> { TypedIndex(elements.count) }

  // Accesses the element in place, because a getter would copy it; transparent, because calls would cost the virtual engine 2
  // %.
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

extension RandomAccessCollection {
  /// The first index whose element satisfies `isBehind`, by binary search; `endIndex` if there is none. All elements after it
  /// must satisfy `isBehind` too.
  @inlinable
  package func partitioningIndex(where isBehind: (Element) -> Bool) -> Index {
    var low = startIndex
    var left = count
    while left > 0 {
      let half = left / 2
      let middle = index(low, offsetBy: half)
      if isBehind(self[middle]) {
        left = half
      } else {
        low = index(after: middle)
        left -= half + 1
      }
    }
    return low
  }
}
