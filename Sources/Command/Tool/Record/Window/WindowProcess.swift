internal import FrameBudget
internal import Glibc
internal import FrameBudgetParsing

/// A process that runs already, and is a client of Wayland.
struct WindowProcess: Sendable {
  let number: pid_t
  /// Its name, as in `ps`.
  let name: String
  /// When it started, in ticks since the boot: another process of the same number has another time.
  private let start: String
  /// The file of its program: `exec` keeps the number and that time. Nil if it cannot be read.
  private let program: String?
  /// The file of its libwayland-client.
  let library: String

  /// The value of an option: its number.
  static func number(_ text: String) -> pid_t? {
    InputNumber.whole(text, in: 1...Int(Int32.max)).map(Int32.init)
  }

  /// - Throws: `.noInput` if there is no such process, `.unavailable` if its frames cannot be seen.
  init(_ number: pid_t) throws(ToolError) {
    guard let status = ProcessFile.status(of: number) else {
      throw ToolError(.noInput, "there is no process \(number)")
    }
    // The number of a thread means its process.
    let number = ProcessFile.number("Tgid", in: status) ?? number
    guard geteuid() == 0 else {
      throw ToolError(
        .unavailable,
        "probes on a process that runs need root: use sudo, or 'framebudget live -- COMMAND', which needs no rights"
      )
    }
    guard let fields = ProcessFile.fields(of: number), fields.count > 19,
      !["Z", "X"].contains(fields[0])
    else { throw ToolError(.noInput, "process \(number) has ended") }
    let name = ProcessFile.text("/proc/\(number)/comm") ?? ""
    self.number = number
    self.name = String(name.split(separator: "\n").joined(separator: " ").prefix(40))
    start = fields[19]
    program = Self.program(of: number)
    guard let maps = ProcessFile.text("/proc/\(number)/maps") else {
      throw ToolError(.unavailable, "cannot read /proc/\(number)/maps, which has its libraries")
    }
    guard let library = Self.library(in: maps, of: number) else {
      let kind = Self.otherKind(in: maps)
      throw ToolError(
        .unavailable,
        "process \(number) (\(self.name.printable)) does not use libwayland-client: \(kind)")
    }
    self.library = library
  }

  // MARK: The library

  /// The path of the library that the process has, whatever is mounted or has been replaced at the path of its name.
  private static func library(in maps: String, of number: pid_t) -> String? {
    mapping(in: maps).map { file($0, of: number) }
  }

  private static func file(
    _ mapping: (range: String, path: String), of number: pid_t
  ) -> String {
    let file = "/proc/\(number)/map_files/\(mapping.range)"
    return unsafe access(file, R_OK) == 0 ? file : "/proc/\(number)/root\(mapping.path)"
  }

  private typealias Mapping = (range: String, isCode: Bool, path: String)

  /// The mappings of files, of lines such as `7f38-7f39 r-xp 0000 08:01 1234   /usr/lib/libwayland-client.so.0`.
  private static func mappings(in maps: String) -> some Sequence<Mapping> {
    maps.split(separator: "\n").lazy.compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count == 6, let path = fields[5].firstIndex(of: "/").map({ fields[5][$0...] })
      else { return nil }
      return (String(fields[0]), fields[1].contains("x"), String(path))
    }
  }

  /// The first mapping of the library.
  static func mapping(in maps: String) -> (range: String, path: String)? {
    mappings(in: maps).first { FilePath.name(of: $0.path).hasPrefix("libwayland-client") }
      .map { ($0.range, $0.path) }
  }

  /// What a process without that library is.
  static func otherKind(in maps: String) -> String {
    if maps.isEmpty { return "it is a thread of the kernel" }
    let isOfX = ["libX11.so", "libxcb.so"].contains { maps.contains("/\($0)") }
    return isOfX
      ? "it is a client of X11 (a toolkit can need GDK_BACKEND=wayland or QT_QPA_PLATFORM=wayland)"
      : "it has no window, or is linked statically"
  }

  /// A function of the process, and its place in a file that it has.
  struct Function {
    let name: String
    let file: String
    let offset: UInt64
  }

  /// The functions of these names in its program and its libraries; of a name that several have, the first one's.
  func functions(named names: [String]) throws(ToolError) -> [Function] {
    var missing = Set(names)
    var found: [Function] = []
    var large: String?
    for mapping in Self.code(in: ProcessFile.text("/proc/\(number)/maps") ?? "") {
      guard !missing.isEmpty else { break }
      let file = Self.file(mapping, of: number)
      guard let functions = try? functions(missing, in: file) else { continue }
      if functions.isTooLarge { large = large ?? mapping.path }
      for (name, offset) in functions.offsets {
        missing.remove(name)
        found.append(Function(name: name, file: file, offset: offset))
      }
    }
    guard let name = missing.min() else { return found.sorted { $0.name < $1.name } }
    if let large {
      throw ToolError(
        .unavailable,
        "cannot find the function \(name.printable): the table of symbols of \(large.printable) is "
          + "too large")
    }
    throw ToolError(
      .noInput,
      "process \(number) (\(self.name.printable)) has no function \(name.printable): neither its program nor its libraries "
        + "export it, or have it among their symbols ('nm' lists these)")
  }

  /// The first mapping of each file with code. The program comes first.
  static func code(in maps: String) -> [(range: String, path: String)] {
    var known: Set<String> = []
    return mappings(in: maps).compactMap { mapping in
      guard mapping.isCode, known.insert(mapping.path).inserted else { return nil }
      return (mapping.range, mapping.path)
    }
  }

  /// The functions of the library, to put probes on.
  func functions() throws(ToolError) -> ELFFunctions {
    try functions(Set(WindowProbes.functions), in: library)
  }

  private func functions(
    _ names: Set<String>, in library: String
  ) throws(ToolError) -> ELFFunctions {
    let file = unsafe Glibc.open(library, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw ToolError(.unavailable, "cannot open \(library): \(SystemError.last)")
    }
    defer { close(file) }
    do throws(ELFFunctions.Problem) {
      return try ELFFunctions(names) { offset, count in
        guard let offset = off_t(exactly: offset) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe bytes.withUnsafeMutableBytes { bytes in
          unsafe pread(file, bytes.baseAddress, count, offset)
        }
        return read == count ? bytes : nil
      }
    } catch {
      throw ToolError(
        .unavailable,
        "the libwayland-client of process \(number) (\(name.printable)) \(error.words)")
    }
  }

  // MARK: Now

  /// How it has ended, as a predicate of it; nil while it runs.
  var ending: String? {
    guard let fields = ProcessFile.fields(of: number), fields.count > 19, fields[19] == start,
      !["Z", "X"].contains(fields[0])
    else { return "has ended" }
    guard let program, let now = Self.program(of: number), now != program else { return nil }
    return "now runs another program"
  }

  private static func program(of number: pid_t) -> String? {
    ProcessFile.link("/proc/\(number)/exe").map(path(in:))
  }

  /// The path in a link of `/proc`, without the mark of a file that was removed, or replaced, since it was started.
  static func path(in link: String) -> String {
    let mark = " (deleted)"
    return link.hasSuffix(mark) ? String(link.dropLast(mark.count)) : link
  }

  var threads: [Int] {
    StagedOutput.names(in: "/proc/\(number)/task").compactMap {
      InputNumber.whole($0, in: 1...Int(Int32.max))
    }
  }

  /// Whether a thread belongs to a process that this one, or one of its descendants, has started.
  func hasStarted(_ thread: Int) -> Bool {
    var next = pid_t(truncatingIfNeeded: thread)
    for _ in 0..<16 {
      guard next > 1, let status = ProcessFile.status(of: next) else { return false }
      if ProcessFile.number("Tgid", in: status) == number { return true }
      next = ProcessFile.number("PPid", in: status) ?? 0
    }
    return false
  }
}

/// What `/proc` says of a process.
enum ProcessFile {
  static func text(_ path: String) -> String? {
    (try? InputBytes.read(path)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func link(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether processes have other numbers there than the machine gives them. The number is a constant of the kernel
  /// (PROC_PID_INIT_INO).
  static func isRenumbered(in namespace: String?) -> Bool {
    namespace.map { $0 != "pid:[4026531836]" } ?? false
  }

  static func status(of process: pid_t) -> String? { text("/proc/\(process)/status") }

  /// The number behind a key of `status`.
  static func number(_ key: String, in status: String) -> pid_t? {
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):\t") }
    return line.flatMap { pid_t($0.dropFirst(key.count + 2)) }
  }

  /// The fields of `stat` after the name, which can contain anything.
  static func fields(of process: pid_t) -> [String]? { fields("/proc/\(process)/stat") }

  static func fields(_ path: String) -> [String]? {
    guard let bytes = try? InputBytes.read(path),
      let name = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    // Bytes, because the view looks often.
    return bytes[(name + 1)...].split { $0 == 0x20 || $0 == 0x0a }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
