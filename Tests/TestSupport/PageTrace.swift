/// A trace as Chrome writes it, of a page of our own: 4 s at 60 Hz, 20 times 7 frames that paint for 4 ms, with the first
/// of which comes a task of three calls of `hash`, 10 ms each. The frame of the next vsync waits for it and is dropped.
package enum PageTrace {
  package static let text = text(.onMain)

  /// The change to `hash`.
  package enum Change: Sendable {
    case onMain
    /// The calls run in a Worker, and nothing is dropped.
    case inWorker
    /// Each call is a task of its own, behind the frame of another vsync, and nothing is dropped.
    case yielding
  }

  package static func text(_ change: Change) -> String {
    "{\"traceEvents\": [\n" + events(change).joined(separator: ",\n") + "\n]}\n"
  }

  private static let period = 50_000.0 / 3

  private static func events(_ change: Change) -> [String] {
    let threads =
      [(1, "CrRendererMain")] + (change == .inWorker ? [(3, "DedicatedWorker thread")] : [])
    var events = threads.map { thread, name in
      """
      {"ph": "M", "name": "thread_name", "pid": 1, "tid": \(thread), "ts": 0, "args": {"name": "\(name)"}}
      """
    }
    var free = 0.0
    for vsync in 0..<240 where vsync % 12 < 7 {
      let at = 1_000_000 + Double(vsync) * period
      let begin = max(at + 200, free + 100)
      events += frame(vsync, at: at, begin: begin, isDropped: change == .onMain && vsync % 12 == 1)
      free = begin + 4000
      guard vsync % 12 == 0 else { continue }
      if change == .yielding {
        for call in 0..<3 {
          let task = at + 5000 + Double(call) * period
          events += [slice("RunTask", task, 11_000), slice("hash \(call)", task + 500, 10_000)]
        }
        continue
      }
      let thread = change == .inWorker ? 3 : 1
      events.append(slice("RunTask", at + 5000, 31_000, thread: thread))
      events += (0..<3).map {
        slice("hash \($0)", at + 5500 + 10_000 * Double($0), 10_000, thread: thread)
      }
      if change == .onMain { free = at + 36_000 }
    }
    return events
  }

  private static func frame(
    _ vsync: Int, at: Double, begin: Double, isDropped: Bool
  ) -> [String] {
    let states = isDropped ? ["DROPPED", "PRESENTED_ALL"] : ["PRESENTED_ALL"]
    return [
      slice("RunTask", begin, 4000), slice("paint", begin, 3900),
      """
      {"ph": "I", "name": "BeginMainThreadFrame", "pid": 1, "tid": 1, "ts": \(begin)}
      """,
      slice("Commit", begin + 3900, 100, "{\"frameSeqId\": \(vsync)}"),
    ]
      + states.enumerated().flatMap { place, state in
        let id = "\"id2\": {\"local\": \"0x\(vsync)a\(place)\"}"
        let report = """
          {"state": "STATE_\(state)", "frame_sequence": \(vsync), "frame_source": 1, "layer_tree_host_id": 1}
          """
        return [
          """
          {"ph": "b", "name": "PipelineReporter", "pid": 1, "tid": 2, "ts": \(at), \(id), \
          "args": {"frame_reporter": \(report)}}
          """,
          """
          {"ph": "e", "name": "PipelineReporter", "pid": 1, "tid": 2, "ts": \(begin + 6000), \(id), "args": {}}
          """,
        ]
      }
  }

  private static func slice(
    _ name: String, _ begin: Double, _ length: Double, _ args: String = "{}", thread: Int = 1
  ) -> String {
    """
    {"ph": "X", "name": "\(name)", "cat": "page", "pid": 1, "tid": \(thread), "ts": \(begin), "dur": \(length), \
    "tdur": \(length), "args": \(args)}
    """
  }
}
