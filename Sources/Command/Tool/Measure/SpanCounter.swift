internal import CFrameBudgetLinux
internal import Foundation
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import Glibc

/// Runs a program under valgrind's callgrind, and counts the instructions of its spans.
struct SpanCounter {
  private let valgrind: String
  /// Where the program's first word was found.
  private let path: String
  private let program: [String]
  private let folder: String

  /// Gives `FrameRecorder` in the program the path of the file of functions.
  private static let variable = "FRAMEBUDGET_SPANS"
  /// Makes the environment as long as `padding(for:in:)` says.
  private static let paddingVariable = "FRAMEBUDGET_PADDING"
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
    guard let path = ProgramPath.find(program[0], in: folders) else {
      throw ToolError(.noInput, "cannot start \(program[0]): no such program exists")
    }
    (self.valgrind, self.path, self.program, self.folder) = (valgrind, path, program, folder)
  }

  /// The counts of two runs; nil after a signal.
  func counts(printing output: Int32) throws(ToolError) -> ProgramCounts? {
    guard let first = try counts(1, output), let second = try counts(2, output) else { return nil }
    return ProgramCounts(
      runs: [first.spans, second.spans], isTimed: first.isTimed || second.isTimed)
  }

  private typealias Run = (spans: [String: CallgrindProfile.Count], isTimed: Bool)

  private func counts(_ run: Int, _ output: Int32) throws(ToolError) -> Run? {
    let (profile, table) = ("\(folder)/profile-\(run)", "\(folder)/spans-\(run)")
    let options = [
      "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", "--dump-line=no",
      "--callgrind-out-file=\(profile)", "--log-file=\(folder)/log-\(run)",
    ]
    for (name, value) in Self.settings { unsafe setenv(name, value, 1) }
    unsafe setenv(Self.variable, table, 1)
    unsafe setenv(Self.paddingVariable, "", 1)
    let length = Self.padding(for: [path] + program, in: ProcessInfo.processInfo.environment)
    unsafe setenv(Self.paddingVariable, String(repeating: "x", count: length), 1)
    defer {
      for name in Array(Self.settings.keys) + [Self.variable, Self.paddingVariable] {
        unsafe unsetenv(name)
      }
    }
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

  /// How many more bytes put the program's stack at the same place of a page, whatever its words and its environment are.
  ///
  /// They lie above the stack, a pointer and a zero with each, and the C library compares and copies bytes at the end of a page in
  /// another way than elsewhere.
  static func padding(for words: [String], in environment: [String: String]) -> Int {
    let page = 4096
    let sizes =
      words.map { $0.utf8.count + 9 }
      + environment.map { $0.key.utf8.count + $0.value.utf8.count + 10 }
    return (page - sizes.reduce(0, +) % page) % page
  }

  private func own(_ profile: String, _ table: String) throws(ToolError) -> Run {
    let bytes = (try? InputBytes.read(table)) ?? []
    let functions = SpanFunctions(String(decoding: bytes, as: UTF8.self))
    guard !functions.functions.isEmpty else {
      throw ToolError(
        .badInput,
        "\(program[0]) has no spans: it has to be a program, not a script, that calls FrameRecorder.start(to:) and then "
          + "FrameRecorder.interval or frame")
    }
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
    return (own, functions.isTimed)
  }
}
