internal import Dispatch
internal import FrameBudgetCaptures
internal import FrameBudgetLearning
internal import FrameBudgetParsing
internal import FrameBudgetScenarios
internal import SchedulableThreads

/// The rules of `--map`. Each pattern has a limit of time, because some never end on an ordinary name.
struct NamePatterns {
  private var file = ""
  private var rules: [NameRulesFile.Rule] = []

  /// No rules.
  init() {}

  /// The rules of a file; none without a file.
  init(_ path: String?) throws(ToolError) {
    guard let path else { return }
    let bytes = try InputBytes.readInput(path)
    file = path
    rules = try ToolError.reading { () throws(ScenarioError) in
      try NameRulesFile.parse(bytes, file: path)
    }
  }

  /// The rules for slices with these names.
  func rules(for names: [String]) throws(ToolError) -> [NameRule] {
    try rules.map { (rule) throws(ToolError) -> NameRule in
      let search = PatternSearch(rule.pattern, in: names)
      guard let matching = search.matching() else {
        throw ToolError(
          .badInput,
          "\(file): the pattern '\(rule.pattern)' takes more than \(PatternSearch.patience) s, at the name "
            + "'\(search.name.prefix(80).printable)'; leave out repetitions inside repetitions")
      }
      return NameRule(rule.learned) { name in
        matching.contains(name)
          || AppCalls.isNamedCall(name) && matching.contains(AppCalls.function)
      }
    }
  }
}

/// Tries a pattern on names, on a thread of its own: a search cannot be stopped. The process ends soon if it does not end.
private final class PatternSearch: Sendable {
  /// In seconds, for all names.
  static let patience = 10

  private struct State {
    var tried = 0
    var matching: Set<String> = []
  }

  private let pattern: String
  private let names: [String]
  private let state = Locked(State())
  private let ended = DispatchSemaphore(value: 0)

  init(_ pattern: String, in names: [String]) {
    self.pattern = pattern
    // A trace of ours gets the first of these names while it is learned, and a call of a function has the second, too.
    self.names = names + ["Task", AppCalls.function]
  }

  /// The names that match; nil if the time is over.
  func matching() -> Set<String>? {
    guard let thread = try? PlatformThread(name: "pattern", body: { self.search() }) else {
      search()
      return state.withLock { $0.matching }
    }
    guard ended.wait(timeout: .now() + .seconds(Self.patience)) == .success else { return nil }
    thread.join()
    return state.withLock { $0.matching }
  }

  /// The name that is tried.
  var name: String { names[min(state.withLock { $0.tried }, names.count - 1)] }

  private func search() {
    defer { ended.signal() }
    // A pattern that is none is refused when it is read.
    guard let pattern = try? Regex(pattern) else { return }
    for name in names {
      let isMatch = name.contains(pattern)
      state.withLock {
        $0.tried += 1
        if isMatch { $0.matching.insert(name) }
      }
    }
  }
}

extension NameRulesFile.Rule {
  fileprivate var learned: NameRule.Target {
    switch target {
    case .service: .service(name)
    case .workload: .workload(name)
    case .render: .render
    case .ignore: .ignore
    }
  }
}
