/// A place in the list of all lanes, of all locks, and so on: no place in another list can stand in for it.
///
/// Four bytes, so that an optional one is as small as an `Int`: "none" is nil, never a number.
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
