import FrameBudget
import FrameBudgetCaptures
import Testing

/// The times at which timers were due, in recordings of tasks that fire them.
struct PageTimersTests {
  private static let thread =
    #"{"name": "thread_name", "ph": "M", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}}"#

  /// A task of 2 ms in which a timer fires after 10 us. Instants are in milliseconds.
  private static func firing(_ timer: Int, at instant: Double) -> [String] {
    let place = #""ph": "X", "cat": "devtools.timeline", "pid": 7, "tid": 7"#
    return [
      #"{"name": "RunTask", \#(place), "ts": \#(instant * 1000 - 10), "dur": 2000, "args": {}}"#,
      """
      {"name": "TimerFire", \(place), "ts": \(instant * 1000), "dur": 1900, \
      "args": {"data": {"frame": "A", "timerId": \(timer)}}}
      """,
    ]
  }

  private static func start(
    _ timer: Int, at instant: Double, delay: Double, isOnce: Bool
  ) -> String {
    """
    {"name": "TimerInstall", "ph": "I", "cat": "devtools.timeline", "pid": 7, "tid": 7, "ts": \(instant * 1000), \
    "args": {"data": {"frame": "A", "timerId": \(timer), "timeout": \(delay), "singleShot": \(isOnce)}}}
    """
  }

  /// By the number of the task: when it was due, in milliseconds of the file.
  private static func due(_ events: [String]) throws -> [Int: Double] {
    let first =
      #"{"name": "RunTask", "ph": "X", "pid": 7, "tid": 7, "ts": 0, "dur": 100, "args": {}}"#
    let text = "[\(([thread, first] + events).joined(separator: ",\n"))]"
    let main = try #require(
      try RecordingFile.read(Array(text.utf8), name: "page.json").threads.first)
    let tasks = main.slices.indices.filter { main.slices[$0].depth == 0 }
    let posts = main.posts.map { post in
      (tasks.firstIndex(of: post.slice) ?? -1, post.instant.inMicroseconds / 1000)
    }
    return Dictionary(posts) { first, _ in first }
  }

  @Test func `a timer that fires once is due after its delay`() throws {
    let events = [Self.start(1, at: 10, delay: 25, isOnce: true)] + Self.firing(1, at: 50)
    #expect(try Self.due(events) == [1: 35])
  }

  @Test func `a timer that repeats is due at multiples of its delay`() throws {
    let firings = [40, 61.5, 92, 100].flatMap { Self.firing(1, at: $0) }
    let events = [Self.start(1, at: 20, delay: 20, isOnce: false)] + firings
    #expect(try Self.due(events) == [1: 40, 2: 60, 3: 80, 4: 100])
  }

  @Test func `the delay of a timer that was started before the recording follows from its firings`()
    throws
  {
    // Due each 30 ms from 20 ms on; late by 12 and 7 ms, and once by more than a delay.
    let events = [20, 50, 92, 110, 140.5, 177, 200, 230, 310, 320].flatMap {
      Self.firing(1, at: $0)
    }
    let due = try Self.due(events)
    #expect(
      due == [
        1: 20, 2: 50, 3: 80, 4: 110, 5: 140.5, 6: 170, 7: 200, 8: 230, 9: 290, 10: 320,
      ])
  }

  @Test func `firings without a common grid, or too few, say nothing`() throws {
    let irregular = [20, 33, 71, 78, 131, 140, 199].flatMap { Self.firing(1, at: $0) }
    #expect(try Self.due(irregular).isEmpty)
    #expect(try Self.due([20, 40, 70, 80].flatMap { Self.firing(1, at: $0) }).isEmpty)
  }

  @Test func `timers of the same number in two documents are two timers`() throws {
    let other = Self.start(1, at: 10, delay: 25, isOnce: true)
      .replacing(#""frame": "A""#, with: #""frame": "B""#)
    #expect(try Self.due([other] + Self.firing(1, at: 50)).isEmpty)
  }
}
