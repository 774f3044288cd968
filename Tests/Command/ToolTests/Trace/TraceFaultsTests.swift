import Testing

/// Tests that the checks of a trace can fail.
struct TraceFaultsTests {
  private static let tracks = """
    {"name":"process_name","ph":"M","ts":0,"pid":1,"tid":1,"args":{"name":"run"}},
    {"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":1,"args":{"name":"main"}},
    {"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":2,"args":{"name":"files"}},
    """

  private static func span(
    _ category: String, _ begin: Double, _ length: Double, on thread: Int = 1
  ) -> String {
    """
    {"name":"\(category)","cat":"\(category)","ph":"X","ts":\(begin),"dur":\(length),"pid":1,"tid":\(thread)}
    """
  }

  private static func flow(_ phase: String, _ at: Double, on thread: Int) -> String {
    """
    {"name":"post","cat":"flow","ph":"\(phase)","bp":"e","ts":\(at),"id":1,"pid":1,"tid":\(thread)}
    """
  }

  private func faults(_ events: [String]) throws -> [String] {
    let text = "{\"traceEvents\":[\(Self.tracks)\(events.joined(separator: ","))]}"
    return TraceFaults(try TraceDocument(text)).found
  }

  @Test(arguments: [
    [span("a", 0, 10), span("b", 0, 4), span("c", 4, 6)],
    [span("a", 0, 10), span("b", 10, 0), span("c", 10, 2)],
    [span("a", 0, 10), span("b", 5, 0), span("c", 5, 5)],
    [span("post", 0, 1), flow("s", 0, on: 1), span("step", 2, 1, on: 2), flow("f", 2, on: 2)],
  ])
  func `a sound trace has none`(_ events: [String]) throws {
    #expect(try faults(events) == [])
  }

  @Test(arguments: [
    ([span("a", 0, 10), span("b", 5, 6)], "overlaps"),
    ([span("a", 0, 10), span("b", 4, 0), span("c", 9, 2)], "overlaps"),
    ([span("a", 5, 1), span("b", 4, 1)], "written after"),
    ([span("a", 0, 1, on: 3)], "without a name"), ([span("a", -1, 1)], "before time 0"),
    ([span("a", 0, -1)], "lacks a field"), ([flow("x", 0, on: 1)], "unknown"),
    ([span("post", 0, 1), flow("s", 0, on: 1)], "flow 1 has [\"s\"]"),
    ([flow("s", 0, on: 1), span("step", 2, 1, on: 2), flow("f", 2, on: 2)], "no post"),
    (
      [span("post", 3, 1), flow("s", 3, on: 1), span("step", 2, 1, on: 2), flow("f", 2, on: 2)],
      "back in time"
    ),
  ])
  func `a fault is found`(_ events: [String], _ words: String) throws {
    #expect(try faults(events).contains { $0.contains(words) })
  }
}
