internal import FrameBudget
internal import Glibc
internal import FrameBudgetParsing

/// The kernel's folder for traces.
struct Tracefs {
  /// Without a slash at its end.
  let path: String

  private static let usual = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"]
  /// The file that makes probes.
  private static let probes = "uprobe_events"

  /// The folder where it is mounted; it is mounted in its usual place if it is nowhere.
  static func open(on console: Console?) throws(ToolError) -> Tracefs {
    let mounts = (try? InputBytes.read("/proc/self/mounts")) ?? []
    let places = Self.places(in: String(decoding: mounts, as: UTF8.self)) + usual
    if let place = places.first(where: { has("events", in: $0) }) { return try checked(place) }
    let place = usual[0]
    guard unsafe mount("tracefs", place, "tracefs", 0, nil) == 0 else {
      throw ToolError(
        .unavailable,
        "tracefs is not mounted, and cannot be mounted: \(SystemError.last); on the machine itself, "
          + "'mount -t tracefs none \(place)' mounts it")
    }
    console?.note("mounted tracefs in \(place)")
    return try checked(place)
  }

  private static func checked(_ place: String) throws(ToolError) -> Tracefs {
    guard has(probes, in: place) else {
      throw ToolError(
        .unavailable,
        "this kernel has no uprobes (CONFIG_UPROBE_EVENTS); 'framebudget live -- COMMAND' needs none"
      )
    }
    return Tracefs(path: place)
  }

  private static func has(_ name: String, in place: String) -> Bool {
    unsafe access("\(place)/\(name)", F_OK) == 0
  }

  /// Where tracefs is mounted, by `/proc/mounts`.
  static func places(in mounts: String) -> [String] {
    mounts.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 2, fields[2] == "tracefs", !fields[1].contains("\\") else { return nil }
      return String(fields[1])
    }
  }

  // MARK: Files

  /// Writes a line to a file, or adds it.
  func write(_ line: String, to file: String, adds: Bool = false) throws(SystemError) {
    let flags = O_WRONLY | O_CLOEXEC | (adds ? O_APPEND : O_TRUNC)
    let descriptor = unsafe Glibc.open("\(path)/\(file)", flags)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    if let error = FileWriting.write(Array((line + "\n").utf8), to: descriptor) { throw error }
  }

  func text(_ file: String) -> String {
    String(decoding: (try? InputBytes.read("\(path)/\(file)")) ?? [], as: UTF8.self)
  }

  /// The numbers of the processes that have a trace or probes of this program.
  var owners: Set<pid_t> {
    let instances = StagedOutput.names(in: "\(path)/instances")
    return Set(instances.compactMap { Self.owner($0, ProbeNames.instance) })
      .union(
        ProbeNames.groups(in: text(Self.probes)).compactMap { Self.owner($0, ProbeNames.group) })
  }

  private static func owner(_ name: String, _ prefix: String) -> pid_t? {
    guard name.hasPrefix(prefix) else { return nil }
    return InputNumber.whole(name.dropFirst(prefix.count), in: 1...Int(Int32.max)).map(Int32.init)
  }

  /// Adds a probe.
  func add(_ probe: String) throws(SystemError) { try write(probe, to: Self.probes, adds: true) }

  /// Removes what the process of that number has made; returns false if there is something that is in use.
  func remove(of process: pid_t) -> Bool {
    // The kernel also turns the events of a trace off. It refuses while a process reads the trace.
    let instance = "\(path)/instances/\(ProbeNames.instance)\(process)"
    if unsafe rmdir(instance) != 0, errno != ENOENT { return false }
    let group = "\(ProbeNames.group)\(process)"
    var isRemoved = true
    for probe in ProbeNames.probes(of: group, in: text(Self.probes)) {
      do { try add("-:\(group)/\(probe)") } catch { isRemoved = false }
    }
    return isRemoved
  }

  /// Removes what killed processes of this program have left, and says so.
  func removeLeftovers(on console: Console?) {
    for process in owners.sorted() where process != getpid() && !Self.isOurs(process) {
      guard remove(of: process) else { continue }
      console?.note("removed the probes of process \(process), which a killed command has left")
    }
  }

  /// Whether that process runs, and is one of this program.
  private static func isOurs(_ process: pid_t) -> Bool {
    guard let other = ProcessFile.link("/proc/\(process)/exe") else { return false }
    return other == ProcessFile.link("/proc/self/exe")
      || FilePath.name(of: other).hasPrefix("framebudget")
  }
}

/// The names of what this program makes in the kernel: each ends with the number of the process, so that what a killed one leaves
/// is found.
enum ProbeNames {
  static let instance = "framebudget-"
  static let group = "framebudget_"

  /// The name of a function in that of an event, which has few characters.
  static func event(of function: String) -> String {
    let name = function.prefix(56).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return name.first?.isNumber == true ? "_\(String(name))" : String(name)
  }

  /// The groups of the probes in a list: `p:GROUP/NAME PATH:0xOFFSET …`.
  static func groups(in list: String) -> Set<String> {
    Set(names(in: list).map(\.group))
  }

  static func probes(of group: String, in list: String) -> [String] {
    names(in: list).filter { $0.group == group }.map(\.name)
  }

  private static func names(in list: String) -> [(group: String, name: String)] {
    list.split(separator: "\n").compactMap { line in
      guard let word = line.split(separator: " ").first,
        let colon = word.firstIndex(of: ":"), let slash = word.firstIndex(of: "/"), colon < slash
      else { return nil }
      return (
        String(word[word.index(after: colon)..<slash]), String(word[word.index(after: slash)...])
      )
    }
  }
}
