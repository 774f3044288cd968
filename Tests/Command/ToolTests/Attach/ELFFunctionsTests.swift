import FrameBudget
import Testing

@testable import FrameBudgetCLI

/// A library as linkers write it: a loaded segment, and two sections.
struct MadeELF {
  var bytes: [UInt8]

  /// Offsets of the parts.
  static let (segments, sections, symbols, text) = (64, 120, 248, 320)
  static let names = "\0wl_proxy_destroy\0wl_proxy_marshal_flags\0"

  init() {
    bytes = [UInt8](repeating: 0, count: 400)
    bytes.replaceSubrange(0..<6, with: [0x7f, 0x45, 0x4c, 0x46, 2, 1])
    set(18, 62, 2)
    set(32, UInt64(Self.segments), 8)
    set(40, UInt64(Self.sections), 8)
    for (offset, value) in [(54, 56), (56, 1), (58, 64), (60, 2)] as [(Int, UInt64)] {
      set(offset, value, 2)
    }
    // The segment: type, offset in the file, address, size.
    set(Self.segments, 1, 4)
    for (offset, value) in [(8, 0x1000), (16, 0x5000), (32, 0x2000)] as [(Int, UInt64)] {
      set(Self.segments + offset, value, 8)
    }
    // The sections: symbols, which name the other, and its text.
    set(Self.sections + 4, 11, 4)
    set(Self.sections + 24, UInt64(Self.symbols), 8)
    set(Self.sections + 32, 72, 8)
    set(Self.sections + 40, 1, 4)
    set(Self.sections + 64 + 24, UInt64(Self.text), 8)
    set(Self.sections + 64 + 32, UInt64(Self.names.utf8.count), 8)
    bytes.replaceSubrange(Self.text..<Self.text + Self.names.utf8.count, with: Self.names.utf8)
    // The first symbol is empty.
    for (number, name, address) in [(1, 1, 0x5da0), (2, 18, 0x6f00)] as [(Int, UInt64, UInt64)] {
      set(Self.symbols + 24 * number, name, 4)
      bytes[Self.symbols + 24 * number + 4] = 0x12
      set(Self.symbols + 24 * number + 6, 7, 2)
      set(Self.symbols + 24 * number + 8, address, 8)
    }
  }

  /// The same with a table of all symbols, of which the last is `load_items`, behind so many others and bytes of names.
  static func unstripped(symbols others: Int = 0, names: Int = 0) -> MadeELF {
    var file = MadeELF()
    let table = file.bytes.count
    let size = 24 * (others + 1)
    file.bytes += Array(file.bytes[sections..<symbols]) + [UInt8](repeating: 0, count: 128 + size)
    let symbol = table + 256 + 24 * others
    let text = file.bytes.count
    file.bytes += [UInt8](repeating: 0, count: names) + Array("load_items\0".utf8)
    file.set(40, UInt64(table), 8)
    file.set(60, 4, 2)
    let all = table + 128
    file.set(all + 4, 2, 4)
    file.set(all + 24, UInt64(table + 256), 8)
    file.set(all + 32, UInt64(size), 8)
    file.set(all + 40, 3, 4)
    file.set(all + 64 + 24, UInt64(text), 8)
    file.set(all + 64 + 32, UInt64(names + 11), 8)
    file.set(symbol, UInt64(names), 4)
    file.bytes[symbol + 4] = 2
    file.set(symbol + 6, 7, 2)
    file.set(symbol + 8, 0x6000, 8)
    return file
  }

  mutating func set(_ offset: Int, _ value: UInt64, _ count: Int) {
    for place in 0..<count {
      bytes[offset + place] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))
    }
  }

  /// The greatest number of bytes that was asked for at once.
  final class Largest { var count = 0 }

  func functions(
    _ names: Set<String> = ["wl_proxy_destroy", "wl_proxy_marshal_flags"],
    noting largest: Largest = Largest()
  ) throws(ELFFunctions.Problem) -> ELFFunctions {
    try ELFFunctions(names) { offset, count in
      largest.count = max(largest.count, count)
      guard let start = Int(exactly: offset), start <= bytes.count, count <= bytes.count - start
      else { return nil }
      return Array(bytes[start..<start + count])
    }
  }
}

@Suite struct `The functions of a library` {
  @Test func `have the offsets of their addresses in the file`() throws {
    let found = try MadeELF().functions()
    #expect(found.machine == .x86)
    #expect(found.offsets == ["wl_proxy_destroy": 0x1da0, "wl_proxy_marshal_flags": 0x2f00])
    #expect(try MadeELF().functions(["wl_proxy", "wl_proxy_marshal"]).offsets.isEmpty)
    var arm = MadeELF()
    arm.set(18, 183, 2)
    #expect(try arm.functions().machine.registers == ("%x0", "%x1"))
  }

  @Test func `that are not defined, no functions, or loaded nowhere are not there`() throws {
    let symbol = MadeELF.symbols + 24
    for (offset, value, count) in [(4, 0x11, 1), (6, 0, 2), (8, 0x9000, 8), (8, 0, 8)]
      as [(Int, UInt64, Int)]
    {
      var file = MadeELF()
      file.set(symbol + offset, value, count)
      #expect(try Set(file.functions().offsets.keys) == ["wl_proxy_marshal_flags"], "\(offset)")
    }
  }

  @Test func `are also its own, unless it is stripped`() throws {
    let names: Set = ["wl_proxy_destroy", "load_items"]
    #expect(
      try MadeELF.unstripped().functions(names).offsets
        == ["wl_proxy_destroy": 0x1da0, "load_items": 0x2000])
    #expect(try MadeELF().functions(names).offsets == ["wl_proxy_destroy": 0x1da0])
    // What is wrong with its own does not hide the others.
    var file = MadeELF.unstripped()
    file.set(400 + 128 + 32, 1 << 40, 8)
    #expect(try file.functions(names).offsets == ["wl_proxy_destroy": 0x1da0])
  }

  /// As of a program that is linked statically, with its symbols.
  @Test func `are found in tables of many MiB, and larger ones are told`() throws {
    let large = MadeELF.unstripped(symbols: 300_000, names: 16 << 20)
    let found = try large.functions(["load_items"])
    #expect(found.offsets == ["load_items": 0x2000] && !found.isTooLarge)
    // The sizes of all symbols and of their names, and that of the exported names.
    for (section, size) in [(2, 1 << 26), (3, 65 << 20)] as [(Int, UInt64)] {
      var file = MadeELF.unstripped()
      file.set(400 + 64 * section + 32, size, 8)
      let largest = MadeELF.Largest()
      let found = try file.functions(["load_items"], noting: largest)
      #expect(found.offsets.isEmpty && found.isTooLarge && largest.count < 1 << 20)
    }
    var exported = MadeELF()
    exported.set(MadeELF.sections + 64 + 32, 5 << 20, 8)
    #expect(try exported.functions().isTooLarge)
  }

  @Test func `of other machines are refused`() {
    func problem(_ change: (inout MadeELF) -> Void) -> ELFFunctions.Problem? {
      var file = MadeELF()
      change(&file)
      do throws(ELFFunctions.Problem) {
        _ = try file.functions()
        return nil
      } catch {
        return error
      }
    }
    #expect(problem { $0.bytes[4] = 1 } == .is32Bit)
    #expect(problem { $0.set(18, 8, 2) } == .otherMachine(8))
    #expect(problem { $0.bytes[0] = 0 } == .noELF)
    #expect(problem { $0.bytes = [] } == .noELF)
    #expect(problem { $0.set(MadeELF.sections + 4, 3, 4) } == .isDamaged)
    #expect(problem { $0.set(MadeELF.sections + 40, 9, 4) } == .isDamaged)
    for problem in [ELFFunctions.Problem.noELF, .is32Bit, .otherMachine(8), .isDamaged] {
      #expect(!problem.words.isEmpty)
    }
  }

  @Test func `of a file that ends early are refused`() {
    let whole = MadeELF()
    for count in 0..<(MadeELF.text + MadeELF.names.utf8.count) {
      var file = whole
      file.bytes = Array(whole.bytes[..<count])
      #expect(throws: ELFFunctions.Problem.self, "\(count)") { try file.functions() }
    }
  }

  /// Each field takes each extreme value.
  @Test func `of a false file harm nothing, and take little memory`() {
    for offset in 0..<MadeELF.text {
      for value in [UInt64.max, 1 << 63, 1 << 31, 0xffff, 1, 0] {
        for count in [1, 2, 4, 8] where offset + count <= MadeELF.text {
          var file = MadeELF()
          file.set(offset, value, count)
          let largest = MadeELF.Largest()
          _ = try? file.functions(noting: largest)
          #expect(largest.count <= 4 << 20, "\(offset) \(value)")
        }
      }
    }
  }
}

@Suite struct `A process that is attached to` {
  private static let maps = """
    55d0-55d1 r-xp 00000000 08:01 7    /usr/bin/app
    7f30-7f31 r--p 00000000 08:01 8    /usr/lib/libwayland-cursor.so.0
    7f38cb2d9000-7f38cb2df000 r-xp 00006000 08:01 9   /usr/lib/my libs/libwayland-client.so.0.21.0 (deleted)
    7ffc-7ffd rw-p 00000000 00:00 0 [stack]
    """

  @Test func `has the library of its first mapping`() throws {
    let found = try #require(WindowProcess.mapping(in: Self.maps))
    #expect(found.range == "7f38cb2d9000-7f38cb2df000")
    #expect(found.path == "/usr/lib/my libs/libwayland-client.so.0.21.0 (deleted)")
    for maps in ["", "x", "libwayland-client", "a b c d e [libwayland-client]"] {
      #expect(WindowProcess.mapping(in: maps) == nil)
    }
  }

  /// It runs another one after `exec`, and the same if its file was replaced.
  @Test func `has the program of its file`() {
    #expect(WindowProcess.path(in: "/usr/bin/app (deleted)") == "/usr/bin/app")
    #expect(WindowProcess.path(in: "/usr/bin/app") == "/usr/bin/app")
  }

  @Test func `has code in its program and its libraries`() {
    let twice = Self.maps + "\n7f40-7f41 r-xp 00000000 08:01 7    /usr/bin/app"
    #expect(
      WindowProcess.code(in: twice).map(\.path) == [
        "/usr/bin/app", "/usr/lib/my libs/libwayland-client.so.0.21.0 (deleted)",
      ])
    #expect(WindowProcess.code(in: "x\n1 r-xp 0 0 0 [vdso]").isEmpty)
  }

  @Test func `without it is told apart`() {
    #expect(WindowProcess.otherKind(in: "").contains("kernel"))
    #expect(WindowProcess.otherKind(in: "1 r 0 0 0 /usr/lib/libX11.so.6").contains("X11"))
    #expect(WindowProcess.otherKind(in: "1 r 0 0 0 /usr/bin/app").contains("statically"))
  }

  @Test(arguments: ["0", "-1", "2147483648", "1 ", "", "x", "١"])
  func `has a number`(text: String) { #expect(WindowProcess.number(text) == nil) }

  /// Traces have the machine's numbers.
  @Test func `has the machine's number, unless a container counts its own`() {
    #expect(!ProcessFile.isRenumbered(in: "pid:[4026531836]"))
    #expect(!ProcessFile.isRenumbered(in: nil))
    #expect(ProcessFile.isRenumbered(in: "pid:[4026532801]"))
  }

  @Test func `that is none is told in a line`() throws {
    for command in [
      ["live", "--attach", "2147483647"], ["record", "window", "2147483647", "-o", "none"],
    ] {
      let performed = try Performed(command)
      #expect(performed.status == .noInput, "\(performed.diagnostics)")
      #expect(performed.diagnostics.contains("there is no process 2147483647"))
    }
  }
}

@Suite struct `What is left in the kernel` {
  private static let list = """
    p:framebudget_12/request /proc/5/map_files/1-2:0x0000000000006f00 op=%si:u32
    p:framebudget_12/destroy /proc/5/map_files/1-2:0x0000000000006da0 id=+16(%di):u32
    p:mine/framebudget_13 /bin/sh:0x0000000000001000
    r:other/thing /bin/sh:0x0000000000001000

    nonsense
    p:/x y
    """

  @Test func `is found by its names`() {
    #expect(ProbeNames.groups(in: Self.list) == ["framebudget_12", "mine", "other", ""])
    #expect(ProbeNames.probes(of: "framebudget_12", in: Self.list) == ["request", "destroy"])
    #expect(ProbeNames.probes(of: "framebudget_13", in: Self.list) == [])
  }

  @Test(arguments: [
    ("load_items", "load_items"), ("a.cold", "a_cold"), ("_ZN3fooE", "_ZN3fooE"), ("3d", "_3d"),
    ("größe", "gr__e"), (String(repeating: "x", count: 99), String(repeating: "x", count: 56)),
  ])
  func `has names that events can have`(_ function: String, _ event: String) {
    #expect(ProbeNames.event(of: function) == event)
  }

  /// In KiB for each core.
  @Test(arguments: [
    (-1, 4096), (1, 4096), (32, 4096), (64, 2048), (128, 1024), (256, 512), (1024, 512),
  ])
  func `is small on machines with many cores`(_ cores: Int, _ size: Int) {
    #expect(WindowProbes.buffer(cores: cores) == size)
  }

  @Test func `is where the mounts say`() {
    let mounts = """
      none /sys/kernel/tracing tracefs rw,relatime 0 0
      proc /proc proc rw 0 0
      tracefs /sys/kernel/debug/tracing tracefs rw 0 0
      tracefs /a\\040b tracefs rw 0 0
      x
      """
    #expect(
      Tracefs.places(in: mounts) == ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"])
  }
}
