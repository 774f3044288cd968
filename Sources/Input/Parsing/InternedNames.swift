/// Stores repeated names once, and gives each a number.
public struct InternedNames: Sendable {
  /// By number.
  public private(set) var names: [String] = []
  /// Where the bytes of each name end in `bytes`.
  private var ends: [Int] = []
  private var bytes: [UInt8] = []
  /// A hash table: the number of a name at its hash or at the next free slot; -1 if free.
  private var slots: [Int32]
  /// The last name that was looked up; the next one is often the same.
  private var newest = 0

  public init() { slots = [Int32](repeating: -1, count: 1 << 8) }

  /// The total number of bytes in the names.
  public var size: Int { bytes.count }

  public subscript(number: Int) -> String { names[number] }

  public mutating func intern(_ name: String) -> Int { intern(Array(name.utf8).span) }

  /// The number of the name in `name`, in UTF-8.
  public mutating func intern(_ name: Span<UInt8>) -> Int {
    if newest < ends.count, isName(newest, name) { return newest }
    newest = find(name)
    return newest
  }

  private mutating func find(_ name: Span<UInt8>) -> Int {
    let mask = slots.count - 1
    var slot = Self.hash(name) & mask
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if isName(number, name) { return number }
      slot = (slot + 1) & mask
    }
    slots[slot] = Int32(names.count)
    add(name)
    if names.count * 2 > slots.count { grow() }
    return names.count - 1
  }

  private mutating func add(_ name: Span<UInt8>) {
    for index in name.indices { bytes.append(name[index]) }
    let start = ends.last ?? 0
    ends.append(bytes.count)
    names.append(String(decoding: bytes[start...], as: UTF8.self))
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    let mask = slots.count - 1
    for number in names.indices {
      let start = number == 0 ? 0 : ends[number - 1]
      var slot = Self.hash(bytes.span.extracting(start..<ends[number])) & mask
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(number)
    }
  }

  private func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == name.count else { return false }
    let known = bytes.span
    for index in name.indices where known[start + index] != name[index] { return false }
    return true
  }

  /// Seeded per process, so that a file cannot contain names that collide on purpose.
  private static func hash(_ name: Span<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
