/// The functions of a program or a library, and where they are in its file: those that it exports and, unless it was stripped,
/// its own.
///
/// The file can be any: what it says is checked, and no table above 64 MiB is read.
struct ELFFunctions {
  /// An instruction set for which a probe can name the registers of arguments.
  enum Machine: UInt16 {
    case x86 = 62
    case arm = 183

    /// The registers of a function's first two arguments.
    var registers: (first: String, second: String) {
      switch self {
      case .x86: ("%di", "%si")
      case .arm: ("%x0", "%x1")
      }
    }
  }

  enum Problem: Error, Equatable {
    case noELF, is32Bit, isDamaged
    case otherMachine(Int)

    /// The words after the name of the file.
    var words: String {
      switch self {
      case .noELF: "is no ELF file"
      case .is32Bit: "is of a 32-bit program; probes are for x86-64 and arm64"
      case .otherMachine(let number):
        "is for another machine (ELF number \(number)); probes are for x86-64 and arm64"
      case .isDamaged: "has no readable table of its functions"
      }
    }
  }

  let machine: Machine
  /// By name.
  private(set) var offsets: [String: UInt64] = [:]
  /// Whether a table of symbols is too large, so that a function that is not found can be in it.
  private(set) var isTooLarge = false

  /// Reads `count` bytes from an offset on; nil if they are not all there.
  typealias Reader = (_ offset: UInt64, _ count: Int) -> [UInt8]?

  private static let mostSections = 4096
  private static let mostSegments = 1024
  private static let mostSymbols: UInt64 = 1 << 21
  /// In bytes: of the exported symbols, and of all. C++ and Swift have long names.
  private static let longestExported: UInt64 = 4 << 20
  private static let longestNames: UInt64 = 64 << 20
  private static let symbol = 24
  private static let block = 4096

  /// Finds those of `names` that the file has.
  init(_ names: Set<String>, in read: Reader) throws(Problem) {
    guard let header = read(0, 64), header.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      throw .noELF
    }
    guard header[4] == 2 else { throw .is32Bit }
    let number = Self.number(header, 18, UInt16.self)
    // Little-endian, as both machines.
    guard header[5] == 1, let machine = Machine(rawValue: number) else {
      throw .otherMachine(Int(number))
    }
    self.machine = machine
    let segments = try Self.segments(header, read)
    let (exported, all) = try Self.tables(header, read)
    try find(names, in: exported, upTo: Self.longestExported, segments, read)
    let missing = names.subtracting(offsets.keys)
    // That table has nothing that a client of the library needs, so the file is of use without it.
    if let all, !missing.isEmpty {
      try? find(missing, in: all, upTo: Self.longestNames, segments, read)
    }
  }

  private static func number<Number: FixedWidthInteger>(
    _ bytes: [UInt8], _ offset: Int, _ type: Number.Type
  ) -> Number {
    (0..<Number.bitWidth / 8).reduce(0) { number, place in
      number | Number(truncatingIfNeeded: bytes[offset + place]) << (8 * place)
    }
  }

  // MARK: Tables

  /// A part of the file that is loaded at an address.
  private struct Segment {
    let offset: UInt64
    let address: UInt64
    let size: UInt64

    func offset(of address: UInt64) -> UInt64? {
      guard address >= self.address, address - self.address < size else { return nil }
      let (sum, overflow) = offset.addingReportingOverflow(address - self.address)
      return overflow ? nil : sum
    }
  }

  private static func segments(
    _ header: [UInt8], _ read: Reader
  ) throws(Problem) -> [Segment] {
    let count = Int(number(header, 56, UInt16.self))
    guard number(header, 54, UInt16.self) == 56, count <= mostSegments,
      let table = read(number(header, 32, UInt64.self), count * 56)
    else { throw .isDamaged }
    return (0..<count).compactMap { place in
      // Of type 1: loaded.
      guard number(table, 56 * place, UInt32.self) == 1 else { return nil }
      return Segment(
        offset: number(table, 56 * place + 8, UInt64.self),
        address: number(table, 56 * place + 16, UInt64.self),
        size: number(table, 56 * place + 32, UInt64.self))
    }
  }

  private typealias Table = (offset: UInt64, size: UInt64)
  /// Symbols, and the text with their names.
  private typealias Symbols = (table: Table, text: Table)

  /// The exported symbols, and all of them if the file was not stripped.
  private static func tables(
    _ header: [UInt8], _ read: Reader
  ) throws(Problem) -> (exported: Symbols, all: Symbols?) {
    let count = Int(number(header, 60, UInt16.self))
    guard number(header, 58, UInt16.self) == 64, count <= mostSections,
      let sections = read(number(header, 40, UInt64.self), count * 64)
    else { throw .isDamaged }
    func table(_ section: Int) -> Table {
      (
        number(sections, 64 * section + 24, UInt64.self),
        number(sections, 64 * section + 32, UInt64.self)
      )
    }
    func symbols(ofType type: UInt32) -> Symbols? {
      let found = (0..<count).first { number(sections, 64 * $0 + 4, UInt32.self) == type }
      guard let found else { return nil }
      let text = Int(number(sections, 64 * found + 40, UInt32.self))
      return text < count ? (table(found), table(text)) : nil
    }
    // Of type 11: dynamic symbols; 2: those for debuggers.
    guard let exported = symbols(ofType: 11) else { throw .isDamaged }
    return (exported, symbols(ofType: 2))
  }

  // MARK: Symbols

  private mutating func find(
    _ names: Set<String>, in symbols: Symbols, upTo longest: UInt64, _ segments: [Segment],
    _ read: Reader
  ) throws(Problem) {
    let (table, text) = symbols
    guard text.size <= longest, table.size / UInt64(Self.symbol) <= Self.mostSymbols else {
      isTooLarge = true
      return
    }
    guard let bytes = read(text.offset, Int(text.size)) else { throw .isDamaged }
    let wanted = names.map { (name: $0, bytes: Array($0.utf8) + [0]) }
    var rest = Int(table.size) / Self.symbol
    var offset = table.offset
    while rest > 0 {
      let count = min(rest, Self.block)
      guard let block = read(offset, count * Self.symbol) else { throw .isDamaged }
      for place in 0..<count { find(wanted, in: block, at: Self.symbol * place, bytes, segments) }
      rest -= count
      let (next, overflow) = offset.addingReportingOverflow(UInt64(count * Self.symbol))
      guard !overflow else { throw .isDamaged }
      offset = next
    }
  }

  /// Looks at the symbol at `place` of a block.
  private mutating func find(
    _ wanted: [(name: String, bytes: [UInt8])], in block: [UInt8], at place: Int, _ text: [UInt8],
    _ segments: [Segment]
  ) {
    // Functions, of type 2, that this file defines.
    guard block[place + 4] & 0xf == 2, Self.number(block, place + 6, UInt16.self) != 0 else {
      return
    }
    let start = Int(Self.number(block, place, UInt32.self))
    guard start < text.count,
      let name = wanted.first(where: { text[start...].starts(with: $0.bytes) })?.name
    else { return }
    let address = Self.number(block, place + 8, UInt64.self)
    offsets[name] = segments.lazy.compactMap { $0.offset(of: address) }.first
  }
}
