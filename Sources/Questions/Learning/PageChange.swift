public import FrameBudget
internal import FrameBudgetCaptures

/// A change to a page that a browser can make before the page's own scripts, and whose effect a scenario can predict.
public struct PageChange: Hashable, Sendable {
  /// What it changes.
  public enum Kind: Hashable, Sendable {
    /// The scripts with this file name are not loaded.
    case without(file: String)
    /// Of the events with this type, listeners get only the newest, by the rule.
    case newest(event: String, NewestRule)
  }

  /// Why a change cannot be tried, as a predicate of it.
  public struct Untriable: Error {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }
  }

  public let kind: Kind
  /// As the user writes it: `debounce:input=150ms`.
  public let text: String

  /// The words before the colon.
  private enum Word: String, CaseIterable {
    case without, debounce, throttle, latest, `defer`, idle
  }

  private static let spans = TimeSpan.milliseconds(1)...TimeSpan.seconds(10)

  /// Parses the text of a change.
  public init(_ text: String) throws(Untriable) {
    self.text = text
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let word = Word(rawValue: parts[0]) else {
      throw Untriable(
        "is not a change; allowed: without:FILE, debounce:EVENT=SPAN, throttle:EVENT=SPAN, latest:EVENT"
      )
    }
    switch word {
    case .without: kind = .without(file: try Self.file(parts[1]))
    case .debounce, .throttle:
      let (event, span) = try Self.limit(parts[1])
      kind = .newest(event: event, word == .debounce ? .debounce(span) : .throttle(span))
    case .latest: kind = .newest(event: try Self.event(parts[1]), .latest)
    case .defer, .idle:
      throw Untriable(
        "cannot be predicted, so it is not made: no scenario has work of the main thread that gives way to all other work"
      )
    }
  }

  /// The name of a script's file in its address.
  private static func file(_ address: String) throws(Untriable) -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    let file = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init)
    guard let file, !file.isEmpty, !file.contains("*"), file.count <= maxName else {
      throw Untriable("does not end with the name of a script's file, such as analytics.js")
    }
    return file
  }

  private static func event(_ type: String) throws(Untriable) -> String {
    let isName = type.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0))
    }
    guard !type.isEmpty, isName, type.count <= maxName else {
      throw Untriable("does not name a type of events, such as input")
    }
    return type
  }

  private static func limit(_ text: String) throws(Untriable) -> (event: String, span: TimeSpan) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let span: TimeSpan
    do throws(Quantity.Failure) {
      span = try Quantity.timeSpan(parts.count == 2 ? parts[1] : "")
    } catch {
      throw Untriable("has no duration, such as input=150ms")
    }
    guard spans.contains(span) else {
      throw Untriable("has a duration out of range; allowed: 1 ms to 10 s")
    }
    return (try event(parts[0]), span)
  }

  /// Names of files and events are cut after as many characters in a recording.
  private static let maxName = 60
}

extension PageChange {
  /// The workload of the listeners that it limits; nil for other changes.
  var workload: String? {
    if case .newest(let event, _) = kind { "on-\(SliceName.folded(event))" } else { nil }
  }

  /// The rule of that workload in the syntax of scenario files.
  var admission: String? {
    guard case .newest(_, let rule) = kind else { return nil }
    return switch rule {
    case .all: "all"
    // A listener runs behind all that waits, as an item does that is the newest and so old: the time of a message in a browser.
    case .latest: "{debounce: 200 us}"
    case .debounce(let span): "{debounce: \(span)}"
    case .throttle(let span): "{throttle: \(span)}"
    }
  }

  /// The effect of a change on a slice's own time.
  enum Effect: Hashable, Sendable {
    /// It is gone.
    case removed
    /// It is an item of the change's workload. Those of one event have the same number.
    case limited(event: Int)
  }

  /// What is around a slice: an event of the type, a call of the page's functions, and a listener of the event.
  private struct Around {
    var event: Int?
    var isInCall = false
    var isInListener = false
  }

  /// By slice: the effect on it, which it passes on to the slices inside.
  func effects(on slices: [RecordedSlice], names: [String]) -> [Effect?] {
    switch kind {
    case .without(let file):
      let isRemoved = names.map { AppCalls.file(in: $0) == file }
      return ItemCutter.inherited(slices) { index, outer in
        outer ?? (isRemoved[Int(slices[index].name)] ? .removed : nil)
      }
    case .newest(let type, _):
      let events = names.map(AppCalls.event)
      let isCall = names.map { AppCalls.contains($0) && AppCalls.event(in: $0) == nil }
      let found: [Around?] = ItemCutter.inherited(slices) { index, outer in
        var around = outer ?? Around()
        let name = Int(slices[index].name)
        guard !around.isInListener else { return around }
        if let event = events[name] {
          around.event = event == type ? index : nil
          // Within a script's call, listeners have no slices of their own.
          around.isInListener = event == type && around.isInCall
        } else if isCall[name] {
          around.isInCall = true
          around.isInListener = around.event != nil
        }
        return around
      }
      return found.map { around in
        around.flatMap { $0.isInListener ? $0.event.map(Effect.limited) : nil }
      }
    }
  }
}

extension LearnedScenario {
  /// Why the scenario does not predict the change that it was learned with; nil if it does.
  public var unpredictable: String? {
    guard let change else { return nil }
    switch change.kind {
    case .without(let file):
      if items.changedTime == 0 { return "no function of \(file) ran while the page was recorded" }
      let names = recording.names.map { AppCalls.file(in: $0) == file }
      let isElsewhere = recording.threads.dropFirst().contains { thread in
        thread.slices.contains { names[Int($0.name)] }
      }
      if isElsewhere { return "functions of \(file) also run in Workers, which still load it" }
      return asksForFrames(file)
        ? "\(file) asks for frames, and the recording does not show which the page wants without it"
        : nil
    case .newest(let event, _):
      return items.changedTime == 0
        ? "no listener of \(event) ran while the page was recorded" : nil
    }
  }

  /// Frames that only the file's functions asked for may be this share of all frames.
  private static let maxOwnFrames = 0.05

  /// Whether the file's functions alone asked for frames, by `requestAnimationFrame`.
  private func asksForFrames(_ file: String) -> Bool {
    guard let slices = recording.threads.first?.slices else { return false }
    let isCallback = recording.names.map { $0 == AppCalls.animationFrame }
    let isIts = recording.names.map { AppCalls.file(in: $0) == file }
    let begins = screen.frames.map(\.begin)
    var (own, others) = (Set<Int>(), Set<Int>())
    for (index, slice) in slices.enumerated() where isCallback[Int(slice.name)] {
      let inside = slices[(index + 1)...].prefix { $0.depth > slice.depth }
      let frame = begins.partitioningIndex { $0 > slice.begin.nanoseconds }
      if inside.contains(where: { isIts[Int($0.name)] }) {
        own.insert(frame)
      } else {
        others.insert(frame)
      }
    }
    return Double(own.subtracting(others).count) > Self.maxOwnFrames * Double(screen.frames.count)
  }
}

extension LearnedScenario {
  /// The share of the calls of limited listeners that a run of the scenario makes, from 0 to 1; 0 for other changes.
  func remaining(in log: RunLog) -> Double {
    guard let index = items.workloads.firstIndex(where: \.isLimited),
      let calls = log.items.first(where: { $0.workload == workload(index) }),
      !calls.arrivals.isEmpty
    else { return 0 }
    return 1 - Double(calls.replacedCount) / Double(calls.arrivals.count)
  }
}
