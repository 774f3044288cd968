/// Names that come again and again, each kept once and known by its number.
public struct InternedNames: Sendable {
  /// In the order of their numbers.
  public private(set) var names: [String] = []
  /// Where the bytes of each name end in `bytes`.
  private var ends: [Int] = []
  private var bytes: [UInt8] = []
  /// By the hash of a name, or a place behind it that was free: its number, or -1.
  private var places: [Int32]
  /// The name that was asked for last is often the next one, too.
  private var newest = 0

  public init() { places = [Int32](repeating: -1, count: 1 << 8) }

  /// How many bytes the names have.
  public var size: Int { bytes.count }

  public subscript(number: Int) -> String { names[number] }

  public mutating func number(of name: String) -> Int { number(of: Array(name.utf8).span) }

  /// The number of the name that `name` spells in UTF-8.
  public mutating func number(of name: Span<UInt8>) -> Int {
    if newest < ends.count, isName(newest, name) { return newest }
    newest = find(name)
    return newest
  }

  private mutating func find(_ name: Span<UInt8>) -> Int {
    let mask = places.count - 1
    var place = Self.hash(name) & mask
    while places[place] >= 0 {
      let number = Int(places[place])
      if isName(number, name) { return number }
      place = (place + 1) & mask
    }
    places[place] = Int32(names.count)
    add(name)
    if names.count * 2 > places.count { grow() }
    return names.count - 1
  }

  private mutating func add(_ name: Span<UInt8>) {
    for index in name.indices { bytes.append(name[index]) }
    let start = ends.last ?? 0
    ends.append(bytes.count)
    names.append(String(decoding: bytes[start...], as: UTF8.self))
  }

  private mutating func grow() {
    places = [Int32](repeating: -1, count: places.count * 2)
    let mask = places.count - 1
    for number in names.indices {
      let start = number == 0 ? 0 : ends[number - 1]
      var place = Self.hash(bytes.span.extracting(start..<ends[number])) & mask
      while places[place] >= 0 { place = (place + 1) & mask }
      places[place] = Int32(number)
    }
  }

  private func isName(_ number: Int, _ name: Span<UInt8>) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == name.count else { return false }
    let known = bytes.span
    for index in name.indices where known[start + index] != name[index] { return false }
    return true
  }

  /// Seeded in each process, so that a file cannot be made to contain names that collide.
  private static func hash(_ name: Span<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
