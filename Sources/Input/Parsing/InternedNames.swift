/// Stores repeated names once, and gives each a number.
public struct InternedNames: Sendable {
  /// By number.
  public private(set) var names: [String] = []
  /// Where the bytes of each name end in `bytes`.
  private var ends: [Int] = []
  private var bytes: [UInt8] = []
  /// A hash table: the number of a name at its hash or at the next free slot; -1 if free.
  private var slots: [Int32]
  /// Of the process, so that a file cannot contain names that collide on purpose.
  private let secrets = Self.secrets
  private static let secrets = (random(), random())

  public init() { slots = [Int32](repeating: -1, count: 1 << 8) }

  /// The total number of bytes in the names.
  public var size: Int { bytes.count }

  public subscript(number: Int) -> String { names[number] }

  public mutating func intern(_ name: String) -> Int { intern(Array(name.utf8).span) }

  /// The number of the name in `name`, in UTF-8.
  public mutating func intern(_ name: Span<UInt8>) -> Int {
    let mask = slots.count - 1
    var slot = hash(name) & mask
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
      var slot = hash(bytes.span.extracting(start..<ends[number])) & mask
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(number)
    }
  }

  @inline(__always)
  private func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    return ByteWord.areEqual(bytes.span.extracting(start..<ends[number]), name)
  }

  /// Each word, changed by a secret number, is multiplied by a number that depends on another one and on the words before.
  @inline(__always)
  private func hash(_ name: Span<UInt8>) -> Int {
    var hash = secrets.0 ^ UInt64(name.count)
    var index = 0
    while index < name.count {
      let word = ByteWord.integer(of: name, from: index) ^ secrets.1
      let product = word.multipliedFullWidth(by: hash)
      hash = product.high ^ product.low
      index += ByteWord.size
    }
    return Int(truncatingIfNeeded: hash)
  }

  private static func random() -> UInt64 { .random(in: .min ... .max) }
}
