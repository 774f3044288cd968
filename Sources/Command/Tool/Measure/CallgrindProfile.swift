internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// Calls and instructions of the functions of spans, from a file of valgrind's callgrind that was written with names in full.
struct CallgrindProfile {
  struct Count: Equatable {
    var calls = 0
    /// With those of everything that it calls.
    var instructions = 0
  }

  /// By the number of the function.
  private(set) var counts: [Int: Count] = [:]

  private static let callee = Array("cfn=framebudget_span_".utf8)
  private static let otherCallee = Array("cfn=".utf8)
  private static let calls = Array("calls=".utf8)

  init(_ source: consuming ByteSource) throws(InputError) {
    var lines = LineReader(passingWrongLines: source)
    // Three lines belong together: the called function, the number of calls, and their cost.
    var function: Int?
    var isCost = false
    var counts: [Int: Count] = [:]
    try lines.forEach { (line, _) throws(InputError) in
      if isCost {
        isCost = false
        guard let called = function.take(), let cost = Self.last(line) else { return }
        counts[called, default: Count()].instructions += cost
      } else if let number = Self.rest(of: line, after: Self.callee) {
        function = Self.first(number)
      } else if Self.rest(of: line, after: Self.otherCallee) != nil {
        function = nil
      } else if let number = Self.rest(of: line, after: Self.calls), let called = function {
        isCost = true
        counts[called, default: Count()].calls += Self.first(number) ?? 0
      }
    }
    self.counts = counts
  }

  private static func rest(of line: Span<UInt8>, after prefix: [UInt8]) -> [UInt8]? {
    guard line.count >= prefix.count, prefix.indices.allSatisfy({ line[$0] == prefix[$0] }) else {
      return nil
    }
    return (prefix.count..<line.count).map { line[$0] }
  }

  /// The number at the beginning.
  private static func first(_ bytes: [UInt8]) -> Int? {
    Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
  }

  /// The number at the end of the line.
  private static func last(_ line: Span<UInt8>) -> Int? {
    let bytes = line.indices.map { line[$0] }
    return bytes.split(separator: UInt8(ascii: " ")).last
      .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }
}

/// The functions that a program has used for its spans, from the file that `InstrumentedSpans` of FrameRecording writes.
struct SpanFunctions {
  struct Function: Equatable {
    let number: Int
    /// The function around it; 0 if there is none.
    let outer: Int
    let name: String
    /// Whether it runs the rest of work that has begun in another function of that name, so that its calls do not count.
    var isRest = false

    fileprivate var key: String { CountedSpan.key(name) }
  }

  let functions: [Function]
  /// Whether the program works for a time, as measurements do, so that the number of calls means nothing.
  let isTimed: Bool

  init(_ text: String) {
    let lines = text.split(separator: "\n")
    isTimed = lines.contains("timed")
    functions = lines.compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let number = Int(parts[0]), let outer = Int(parts[1]) else {
        return nil
      }
      return Function(
        number: number, outer: outer, name: String(parts[2].trimmed),
        isRest: parts[0].hasPrefix("+"))
    }
  }

  /// By name, the calls and the instructions without those of spans inside; nil if the profile lacks a function, as that of a
  /// stripped program does.
  ///
  /// Names with the same letters are names of one span; the shortest one stands for all.
  func own(_ profile: CallgrindProfile) -> [String: CallgrindProfile.Count]? {
    var own: [String: (name: String, count: CallgrindProfile.Count)] = [:]
    for function in functions {
      guard let count = profile.counts[function.number] else { return nil }
      let inner = functions.filter { $0.outer == function.number }
        .reduce(0) { $0 + (profile.counts[$1.number]?.instructions ?? 0) }
      var span = own[function.key] ?? (name: function.name, count: CallgrindProfile.Count())
      if (function.name.count, function.name) < (span.name.count, span.name) {
        span.name = function.name
      }
      span.count.calls += function.isRest ? 0 : count.calls
      span.count.instructions += count.instructions - inner
      own[function.key] = span
    }
    return Dictionary(uniqueKeysWithValues: own.values.map { ($0.name, $0.count) })
  }
}
