internal import FrameBudgetParsing

/// `prev_comm=a prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=2 next_prio=120`.
///
/// A name may contain anything, also these words, but has at most 15 bytes: too few for all that follows it.
struct ContextSwitch {
  private(set) var from: Int
  /// The first letter of the state in which the first thread leaves the core.
  private var state: UInt8
  private(set) var to: Int
  /// Where the names are.
  private(set) var fromName: Range<Int>
  private(set) var toName: Range<Int>

  private static let longestName = 15

  var wasPreempted: Bool { state == UInt8(ascii: "R") }
  /// Whether the first thread has ended, or a signal or a debugger has stopped it.
  var isHalted: Bool { "TtXxZ".utf8.contains(state) }

  init?(_ details: Span<UInt8>) {
    guard let switched = Self.strict(details) ?? Self.lenient(details) else { return nil }
    self = switched
  }

  private init(
    from: Int, state: UInt8, to: Int, fromName: Range<Int>, toName: Range<Int>
  ) {
    (self.from, self.state, self.to) = (from, state, to)
    (self.fromName, self.toName) = (fromName, toName)
  }

  private static func strict(_ details: Span<UInt8>) -> ContextSwitch? {
    var start = 0
    guard TextScan.takeText("prev_comm=", details, &start) else { return nil }
    for length in 0...longestName {
      var at = start + length
      guard TextScan.takeText(" prev_pid=", details, &at),
        let from = TextScan.number(details, &at), TextScan.takeText(" prev_prio=", details, &at)
      else { continue }
      _ = TextScan.take("-", details, &at)
      guard TextScan.number(details, &at) != nil, TextScan.takeText(" prev_state=", details, &at),
        at < details.count
      else { continue }
      let state = details[at]
      TextScan.takeWord(details, &at)
      guard TextScan.takeText(" ==> next_comm=", details, &at),
        let end = TextScan.begin(of: " next_pid=", in: details), end >= at,
        let to = TextScan.value(of: " next_pid=", in: details)
      else { continue }
      return ContextSwitch(
        from: from, state: state, to: to, fromName: start..<(start + length), toName: at..<end)
    }
    return nil
  }

  /// Without some of its parts, as other tools write it.
  private static func lenient(_ details: Span<UInt8>) -> ContextSwitch? {
    guard let from = TextScan.value(of: " prev_pid=", in: details),
      let to = TextScan.value(of: " next_pid=", in: details),
      let state = TextScan.end(of: " prev_state=", in: details), state < details.count
    else { return nil }
    return ContextSwitch(
      from: from, state: details[state], to: to, fromName: 0..<0, toName: 0..<0)
  }
}

extension TextScan {
  /// The number after the last `key`: names come first and may contain anything.
  static func value(of key: StaticString, in details: Span<UInt8>) -> Int? {
    guard var at = end(of: key, in: details) else { return nil }
    return number(details, &at)
  }

  /// The end of the last `key`, which begins with a space.
  static func end(of key: StaticString, in details: Span<UInt8>) -> Int? {
    begin(of: key, in: details).map { $0 + key.utf8CodeUnitCount }
  }

  /// The begin of the last `key`.
  static func begin(of key: StaticString, in details: Span<UInt8>) -> Int? {
    var before = details.count
    while let space = last(of: " ", in: details, before: before) {
      var at = space
      if takeText(key, details, &at) { return space }
      before = space
    }
    return nil
  }
}
