import FrameBudget
import Testing

@testable import FrameBudgetCaptures

/// Calls of a page of page.example with samples of V8's profiler, each 1 ms after the one before, the first at 1 ms.
@Suite struct `A call in a profile` {
  /// A node of a stack: its function and the address of its file.
  private typealias Function = (name: String, address: String)

  private static let jquery: Function = ("dispatch", "http://page.example/jquery.min.js")
  private static let vendored: Function = ("later", "http://page.example/js/vendor/underscore.js")
  private static let cdn: Function = ("flush", "https://cdn.example/vue.js")
  private static let shop: Function = ("recommend", "http://page.example/shop.js?v=1")
  private static let cart: Function = ("total", "http://page.example/cart.js")
  private static let native: Function = ("map", "")
  private static let runtime: Function = ("StackGuard", "native V8Runtime")
  /// When the browser wrote its first event, in µs: some hours after the machine started.
  private static let start = 122_411_000_000

  /// The names of calls of functions, or of microtasks, each of 10 ms from 0, 10, … ms on, and of a slice of 30 ms around them,
  /// with a stack for each sample.
  private func names(
    calls: [Function?], around: String? = nil, samples: [[Function]], namesFunctions: Bool = true
  ) throws -> [String] {
    var events = [
      #"{"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}}"#,
      #"""
      {"ph": "I", "name": "TracingStartedInBrowser", "pid": 1, "tid": 1, "ts": \#(Self.start), "args": {"data": {"frames": [
        {"frame": "A", "isOutermostMainFrame": true, "processId": 7, "url": "http://page.example/"}]}}}
      """#,
      #"""
      {"ph": "P", "name": "Profile", "id": "0x5", "pid": 7, "tid": 1, "ts": \#(Self.start - 1), "args": {"data": {
        "startTime": \#(Self.start - 31)}}}
      """#,
    ]
    for (place, call) in calls.enumerated() {
      let at = #""ph": "X", "pid": 7, "tid": 1, "ts": \#(Self.start + 10_000 * place), "dur": 9900"#
      if let call {
        let data =
          #"{"functionName": "\#(call.name)", "lineNumber": 4, "url": "\#(call.address)"}"#
        events.append(#"{\#(at), "name": "FunctionCall", "args": {"data": \#(data)}}"#)
      } else {
        events.append(#"{\#(at), "name": "RunMicrotasks"}"#)
      }
    }
    if let around {
      events.append(
        #"{"ph": "X", "name": "\#(around)", "pid": 7, "tid": 1, "ts": \#(Self.start), "dur": 30000}"#
      )
    }
    var nodes = [#"{"id": 1, "callFrame": {"functionName": "(root)", "lineNumber": -1}}"#]
    var leaves: [Int] = []
    for stack in samples {
      for (depth, function) in stack.enumerated() {
        let caller = depth == 0 ? 1 : nodes.count
        nodes.append(
          #"""
          {"id": \#(nodes.count + 1), "parent": \#(caller), "callFrame": {"functionName": "\#(function.name)", "lineNumber": 8,
            "url": "\#(function.address)"}}
          """#)
      }
      leaves.append(nodes.count)
    }
    // The profiler's thread writes, in several pieces, of which each has the nodes that are new.
    let steps = samples.map { _ in "1000" }.joined(separator: ",")
    events += [
      #"""
      {"ph": "P", "name": "ProfileChunk", "id": "0x5", "pid": 7, "tid": 2, "ts": \#(Self.start + 1), "args": {"data": {"cpuProfile": {
        "nodes": [\#(nodes.joined(separator: ","))]}}}}
      """#,
      #"""
      {"ph": "P", "name": "ProfileChunk", "id": "0x5", "pid": 7, "tid": 2, "ts": \#(Self.start + 2), "args": {"data": {"cpuProfile": {
        "samples": \#(leaves)}, "timeDeltas": [\#(steps)]}}}
      """#,
    ]
    let recording = try RecordingFile.read(
      Array("[\(events.joined(separator: ","))]".utf8), name: "page.json",
      choosing: RecordingChoice(namesFunctions: namesFunctions))
    return recording.threads[0].slices.map { recording.names[Int($0.name)] }
  }

  private func stacks(_ count: Int, _ stack: Function...) -> [[Function]] {
    Array(repeating: stack, count: count)
  }

  @Test(arguments: 0..<3)
  func `of a library has the name of the app's outermost function in it`(library: Int) throws {
    let library = [Self.jquery, Self.vendored, Self.cdn][library]
    let found = try names(
      calls: [library], samples: stacks(9, library, Self.native, Self.shop, Self.cart))
    #expect(found == ["recommend (shop.js:9)"])
  }

  @Test func `after an await has a name`() throws {
    let found = try names(
      calls: [nil, nil],
      samples: stacks(9, Self.shop, Self.native) + stacks(10, Self.jquery))
    #expect(found == ["recommend (shop.js:9)", "dispatch (jquery.min.js:9)"])
  }

  @Test(arguments: ["TimerFire", "BlinkScheduler_PerformMicrotaskCheckpoint"])
  func `has a name of its own if a promise's callbacks follow it`(around: String) throws {
    let found = try names(
      calls: [Self.cart], around: around,
      samples: stacks(9, Self.cart) + stacks(20, Self.cdn, Self.shop))
    #expect(found == ["recommend (shop.js:9)", "total (cart.js:4)"])
  }

  @Test func `keeps its name if it is the app's, or if no function of the app has half of it`()
    throws
  {
    let found = try names(
      calls: [Self.cart, Self.jquery, Self.jquery],
      samples: stacks(9, Self.cart, Self.shop) + stacks(6, Self.jquery)
        + stacks(4, Self.jquery, Self.shop))
    #expect(
      found == ["total (cart.js:4)", "dispatch (jquery.min.js:4)", "dispatch (jquery.min.js:4)"])
  }

  @Test func `keeps its name if the browser's own functions have more than half of it`() throws {
    let library = stacks(9, Self.jquery, Self.runtime)
    let microtasks = stacks(6, Self.runtime) + stacks(4, Self.shop)
    #expect(
      try names(calls: [Self.jquery, nil], samples: library + microtasks) == [
        "dispatch (jquery.min.js:4)", "RunMicrotasks",
      ])
    #expect(
      try names(calls: [nil], samples: stacks(4, Self.runtime) + stacks(5, Self.shop)) == [
        "recommend (shop.js:9)"
      ])
  }

  @Test func `is not named where its frame's callback has the name`() throws {
    let found = try names(
      calls: [Self.cart], around: "FireAnimationFrame",
      samples: stacks(9, Self.cart) + stacks(20, Self.shop))
    #expect(found == ["FireAnimationFrame", "total (cart.js:4)"])
  }

  @Test(arguments: [true, false])
  func `the task in which a profile begins is left out, and said`(isChosen: Bool) throws {
    let begin = Self.start
    let events = """
      [{"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}},
       {"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": \(begin), "dur": 20000},
       {"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": \(begin + 30000), "dur": 90000},
       {"ph": "X", "name": "FunctionCall", "pid": 7, "tid": 1, "ts": \(begin + 30100), "dur": 80000},
       {"ph": "P", "name": "Profile", "id": "0x5", "pid": 7, "tid": 1, "ts": \(begin + 31000), "args": {"data": {}}},
       {"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": \(begin + 120000), "dur": 1000}]
      """
    let recording = try RecordingFile.read(
      Array(events.utf8), name: "page.json",
      choosing: RecordingChoice(from: isChosen ? .zero : nil, namesFunctions: true))
    let tasks = recording.threads[0].slices.filter { $0.depth == 0 }
    #expect(tasks.map(\.length) == (isChosen ? [20, 90, 1] : [1]).map(TimeSpan.milliseconds))
    #expect(tasks[0].begin == .zero)
    #expect(
      recording.doubts.contains(
        "the first 0.12 s are left out: V8's profiler began in them, which holds up the page")
        != isChosen)
  }

  @Test func `nothing is left out if that task is longer than the profiler's start`() throws {
    let begin = Self.start
    let events = """
      [{"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}},
       {"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": \(begin), "dur": 3000000},
       {"ph": "P", "name": "Profile", "id": "0x5", "pid": 7, "tid": 1, "ts": \(begin + 400000), "args": {"data": {}}},
       {"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": \(begin + 3100000), "dur": 1000}]
      """
    let recording = try RecordingFile.read(
      Array(events.utf8), name: "page.json", choosing: RecordingChoice(namesFunctions: true))
    #expect(recording.threads[0].slices.map(\.length) == [3000, 1].map(TimeSpan.milliseconds))
    #expect(!recording.doubts.contains { $0.contains("left out") })
  }

  @Test func `keeps its name where functions are not named`() throws {
    let found = try names(
      calls: [Self.jquery, nil], samples: stacks(19, Self.jquery, Self.shop),
      namesFunctions: false)
    #expect(found == ["FunctionCall", "RunMicrotasks"])
  }
}
