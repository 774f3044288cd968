internal import CFrameBudgetLinux
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import Glibc

/// Runs a program under valgrind's callgrind, and counts the instructions of its spans.
struct SpanCounter {
  private let valgrind: String
  private let program: [String]
  private let folder: String

  /// Gives `FrameRecorder` in the program the path of the file of functions.
  private static let variable = "FRAMEBUDGET_SPANS"
  /// What else would make counts differ: random seeds of hash tables, and symbols that are looked up at their first use.
  private static let settings = ["SWIFT_DETERMINISTIC_HASHING": "1", "LD_BIND_NOW": "1"]
  /// The number of functions; further spans have none.
  private static let limit = Int(clinux_last_span() - clinux_first_span()) + 1

  /// `folder` is for files of valgrind.
  init(_ program: [String], in folder: String) throws(ToolError) {
    let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
    guard let valgrind = ProgramPath.find("valgrind", in: folders) else {
      throw ToolError(
        .unavailable, "valgrind is not installed, or not in PATH; it counts the instructions")
    }
    guard ProgramPath.find(program[0], in: folders) != nil else {
      throw ToolError(.noInput, "cannot start \(program[0]): no such program exists")
    }
    (self.valgrind, self.program, self.folder) = (valgrind, program, folder)
  }

  /// The counts of two runs; nil after a signal.
  func spans(printing output: Int32) throws(ToolError) -> [CountedSpan]? {
    guard let first = try counts(1, output), let second = try counts(2, output) else { return nil }
    return first.keys.sorted().compactMap { name in
      guard let one = first[name], one.calls > 0, let other = second[name], other.calls > 0 else {
        return nil
      }
      let means = [one, other].map { Double($0.instructions) / Double($0.calls) }.sorted()
      guard means[0] >= 1 else { return nil }
      return CountedSpan(
        name: name, calls: min(one.calls, other.calls), instructions: Self.rounded(means[0]),
        spread: means[1] / means[0] - 1)
    }
  }

  /// To four digits: the length of a path or of the environment moves a few instructions.
  static func rounded(_ count: Double) -> Double {
    var unit = 1.0
    while count / unit >= 10_000 { unit *= 10 }
    return (count / unit).rounded() * unit
  }

  private func counts(
    _ run: Int, _ output: Int32
  ) throws(ToolError) -> [String: CallgrindProfile.Count]? {
    let (profile, table) = ("\(folder)/profile-\(run)", "\(folder)/spans-\(run)")
    let options = [
      "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", "--dump-line=no",
      "--callgrind-out-file=\(profile)", "--log-file=\(folder)/log-\(run)",
    ]
    for (name, value) in Self.settings { unsafe setenv(name, value, 1) }
    unsafe setenv(Self.variable, table, 1)
    defer { for name in Array(Self.settings.keys) + [Self.variable] { unsafe unsetenv(name) } }
    let process = ChildProcess.start([valgrind] + options + program, output: output)
    guard process > 0 else {
      throw ToolError(.unavailable, "cannot start valgrind: \(SystemError(number: -process))")
    }
    let status = ChildProcess.wait(for: process) { Interruption.signal != nil }
    guard Interruption.signal == nil else { return nil }
    guard status == 0 else {
      let log = (try? InputBytes.read("\(folder)/log-\(run)")) ?? []
      if String(decoding: log, as: UTF8.self).contains("debuginfo reader") {
        throw ToolError(
          .unavailable,
          "this valgrind cannot read the program's debug information; count a copy without it: strip --strip-debug -o COPY "
            + program[0])
      }
      throw ToolError(.unavailable, "\(program[0]) ended with status \(status)")
    }
    return try own(profile, table)
  }

  private func own(
    _ profile: String, _ table: String
  ) throws(ToolError) -> [String: CallgrindProfile.Count] {
    guard let bytes = try? InputBytes.read(table), !bytes.isEmpty else {
      throw ToolError(
        .badInput,
        "\(program[0]) has no spans: it has to be a program, not a script, that calls FrameRecorder.start(to:) and then "
          + "FrameRecorder.interval or frame")
    }
    let functions = SpanFunctions(String(decoding: bytes, as: UTF8.self))
    guard functions.functions.count < Self.limit else {
      throw ToolError(
        .badInput,
        "\(program[0]) has \(Self.limit) or more different spans, counted with those around them; give the same work the same name"
      )
    }
    let counted = try ToolError.reading { () throws(InputError) in
      try CallgrindProfile(ByteSource(path: profile))
    }
    guard let own = functions.own(counted) else {
      throw ToolError(
        .badInput, "\(program[0]) has no names of functions; it must not be stripped")
    }
    return own
  }
}
