internal import FrameBudget
internal import FrameBudgetCaptures
internal import Glibc

/// Probes on the libwayland-client of a process, and the switches of its threads, in a trace of their own.
///
/// The kernel keeps them however this process ends, so `close` removes them, and the next start removes those of a killed process.
final class WindowProbes {
  let process: WindowProcess
  /// The names of the functions that are probed as work.
  let work: [String]
  private let traces: Tracefs
  /// The threads that are traced.
  private var threads: Set<Int> = []
  /// The open trace; -1 once it is closed.
  private var pipe: Int32 = -1
  private var isMade = false
  /// What `close` could not remove; nil if that is nothing.
  private(set) var remains: String?

  /// The size of each core's buffer in KiB: some seconds of a client with many threads, or of many cores 128 MiB together.
  static func buffer(cores: Int) -> Int { max(512, min(4096, (128 << 10) / max(1, cores))) }

  /// All requests pass through this function; older libraries have the second one in its place.
  private static let requests = [
    "wl_proxy_marshal_array_flags", "wl_proxy_marshal_array_constructor_versioned",
  ]
  private static let others = [
    (name: "listen", function: "wl_proxy_add_listener"),
    (name: "dispatch", function: "wl_proxy_add_dispatcher"),
    (name: "destroy", function: "wl_proxy_destroy"),
  ]
  static let functions = requests + others.map(\.function)

  /// Also probes the functions of the process that are called `work`. `isRecorded` adds the system calls in which threads wait for
  /// events. These slow all system calls of the machine a little, so a view does without.
  ///
  /// - Throws: `.noInput` if there is no such process or function, `.unavailable` if a right or a part is missing.
  init(
    on number: pid_t, work: [String] = [], isRecorded: Bool = false, console: Console?
  ) throws(ToolError) {
    if ProcessFile.isRenumbered(in: ProcessFile.link("/proc/self/ns/pid")) {
      throw ToolError(
        .unavailable,
        "this container has process numbers of its own, and traces have the machine's: run the command outside of it, "
          + "or make it with those of the machine (docker run --pid=host)")
    }
    process = try WindowProcess(number)
    let functions = try process.functions()
    guard functions.offsets["wl_proxy_destroy"] != nil,
      Self.requests.contains(where: { functions.offsets[$0] != nil })
    else {
      throw ToolError(
        .unavailable, "\(process.library) does not export the functions of libwayland-client")
    }
    self.work = work
    let functionsOfWork = try process.functions(named: work)
    traces = try Tracefs.open(on: console)
    traces.removeLeftovers(on: console)
    // A killed command can have had the number of this process.
    _ = traces.remove(of: getpid())
    do throws(SystemError) {
      try make(functions, functionsOfWork, isRecorded: isRecorded)
    } catch {
      close()
      throw ToolError(.unavailable, "cannot trace process \(number) in \(traces.path): \(error)")
    }
  }

  deinit { close() }

  private var group: String { "\(ProbeNames.group)\(getpid())" }
  private var instance: String { "instances/\(ProbeNames.instance)\(getpid())" }

  private func make(
    _ functions: ELFFunctions, _ work: [WindowProcess.Function], isRecorded: Bool
  ) throws(SystemError) {
    isMade = true
    guard unsafe mkdir("\(traces.path)/\(instance)", 0o700) == 0 else { throw .last }
    try traces.write("mono", to: "\(instance)/trace_clock")
    try traces.write("1", to: "\(instance)/options/record-tgid")
    let buffer = Self.buffer(cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    try traces.write("\(buffer)", to: "\(instance)/buffer_size_kb")
    try add(functions)
    try add(work)
    try follow()
    // The process has ended: without a thread, the kernel would trace all.
    guard !threads.isEmpty else { throw SystemError(number: ESRCH) }
    pipe = unsafe open("\(traces.path)/\(instance)/trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard pipe >= 0 else { throw .last }
    for event in [group, "sched/sched_switch", "sched/sched_waking"] {
      try traces.write("1", to: "\(instance)/events/\(event)/enable")
    }
    guard isRecorded else { return }
    // A machine lacks some of these calls, and a kernel can be without such events.
    for event in SystemWait.calls.flatMap({ ["sys_enter_\($0)", "sys_exit_\($0)"] }) {
      try? traces.write("1", to: "\(instance)/events/syscalls/\(event)/enable")
    }
  }

  /// At its begin and at its end, under names that readers take for one.
  private func add(_ work: [WindowProcess.Function]) throws(SystemError) {
    for function in work {
      let place = "\(function.file):0x\(String(function.offset, radix: 16))"
      let name = ProbeNames.event(of: function.name)
      try traces.add("p:\(group)/\(name)_b \(place)")
      try traces.add("r:\(group)/\(name)_e \(place)")
    }
  }

  /// The object is a function's first argument: its interface, whose first part is its name, and after two pointers its number.
  private func add(_ functions: ELFFunctions) throws(SystemError) {
    let (object, opcode) = functions.machine.registers
    let words = "id=+16(\(object)):u32 kind=+0(+0(+0(\(object)))):string"
    func add(_ name: String, _ function: String, _ words: String, if filter: String)
      throws(SystemError)
    {
      guard let offset = functions.offsets[function] else { return }
      try traces.add(
        "p:\(group)/\(name) \(process.library):0x\(String(offset, radix: 16)) \(words)")
      try traces.write(filter, to: "\(instance)/events/\(group)/\(name)/filter")
    }
    if let function = Self.requests.first(where: { functions.offsets[$0] != nil }) {
      try add(
        "request", function, "op=\(opcode):u32 \(words)",
        if: #"kind=="wl_surface" && (op==0 || op==3 || op==6)"#)
    }
    for (name, function) in Self.others {
      try add(name, function, words, if: #"kind=="wl_callback""#)
    }
  }

  /// Traces the threads that the process has now.
  func follow() throws(SystemError) {
    let now = Set(process.threads)
    let new = now.subtracting(threads).sorted()
    guard !new.isEmpty else { return }
    // One write has at most a page.
    for first in stride(from: 0, to: new.count, by: 256) {
      let numbers = new[first..<min(first + 256, new.count)].map(String.init)
      try traces.write(
        numbers.joined(separator: " "), to: "\(instance)/set_event_pid",
        adds: !threads.isEmpty || first > 0)
    }
    threads.formUnion(new)
  }

  /// Writes a line into the trace, which then lasts at least until now: threads that sleep, or compute alone, have no events.
  func mark(_ text: String) { try? traces.write(text, to: "\(instance)/trace_marker") }

  /// The text that has come since the last call, at most some MiB. It does not wait for more.
  func read() -> [UInt8] {
    var text: [UInt8] = []
    guard pipe >= 0 else { return text }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while text.count < 4 << 20 {
      let count = unsafe block.withUnsafeMutableBytes { block in
        unsafe Glibc.read(pipe, block.baseAddress, block.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      text += block[..<count]
    }
    return text
  }

  /// Removes all of it, or says what `remains`.
  func close() {
    guard isMade else { return }
    isMade = false
    if pipe >= 0 { Glibc.close(pipe) }
    pipe = -1
    // A reader of another process, such as `cat`, holds a trace for a moment.
    for _ in 0..<20 {
      if traces.remove(of: getpid()) {
        // Also those of a recording for a view, which is killed if it takes too long to remove them itself.
        return traces.removeLeftovers(on: nil)
      }
      usleep(50_000)
    }
    remains =
      "cannot remove \(traces.path)/\(instance) and its probes, because another process reads it; the next 'live --attach' or "
      + "'record window' removes them"
  }
}
