/// Lengths of time in nanoseconds, four bytes each: those that need more stand in a list of their own.
public struct SpanList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  private var short: [UInt32] = []
  /// By place, in ascending order: values that do not fit.
  private var long: [Long] = []

  private struct Long: Hashable, Sendable {
    let place: Int
    let value: Int64
  }

  public init(arrayLiteral elements: Int64...) {
    for element in elements { append(element) }
  }

  /// An empty list.
  public init() {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { short.count }

  public subscript(place: Int) -> Int64 {
    let value = short[place]
    return value == .max ? longValue(at: place) : Int64(value)
  }

  /// Makes room for so many.
  public mutating func reserveCapacity(_ count: Int) { short.reserveCapacity(count) }

  /// Adds a length of time at the end.
  public mutating func append(_ nanoseconds: Int64) {
    if nanoseconds >= 0 && nanoseconds < Int64(UInt32.max) {
      short.append(UInt32(nanoseconds))
    } else {
      long.append(Long(place: short.count, value: nanoseconds))
      short.append(.max)
    }
  }

  private func longValue(at place: Int) -> Int64 {
    long[long.partitioningIndex { $0.place >= place }].value
  }
}
