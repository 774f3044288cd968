import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

struct TracedRunTests {
  @Test func `a trace is read back as it was written`() throws {
    let file = try TracedRuns(ByteSource(Array(HandMadeTrace.text().utf8), name: "t"))
    #expect(file.runs.count == 1)
    #expect(file.runs[0].threads.flatMap(\.spans).count == 0)
    let run = try file.drawn(
      in: [file.runs[0].place: ThreadPicture.Window(from: 0, to: 60_000_000)])[0]
    #expect(run.name == "traced · main-thread · real")
    #expect(run.threads.map(\.name) == ["main", "files"])
    #expect(run.locks.map(\.name) == ["lock catalogue"])
    #expect(run.frames.map(\.late) == [0, 2, 0, 0])
    #expect(run.worst?.cause == .lock && run.worst?.begin == 1 && run.worst?.shown == 4)
    #expect(run.vsyncs.count == 6 && run.vsyncs[6] == 60_000_000)
    let waits = run.threads[0].spans.filter { $0.kind == .lockWait }
    #expect(waits.map(\.begin) == [11_000_000] && waits.map(\.end) == [33_000_000])
    #expect(waits.map(\.name) == ["catalogue"])
    #expect(run.threads[1].spans.map(\.name) == ["add-file/insert"])
    #expect(run.locks[0].spans.map(\.name) == ["files", "main"])
  }

  @Test func `a trace that names more threads than a page lists is refused`() throws {
    func trace(threads: Int) -> ByteSource {
      let names = (2..<threads + 2).map { number in
        """
        {"name":"thread_name","ph":"M","ts":0,"pid":1,"tid":\(number),"args":{"name":"t","role":"thread"}}
        """
      }
      let run = """
        {"name":"process_name","ph":"M","ts":0,"pid":1,"tid":1,"args":{"name":"run","repetition":1}}
        """
      let text =
        "{\"otherData\":{\"framebudget\":1},\"traceEvents\":[\n"
        + ([run] + names).joined(separator: ",\n") + "\n]}\n"
      return ByteSource(Array(text.utf8), name: "t")
    }
    #expect(try TracedRuns(trace(threads: 100)).runs[0].threads.count == 100)
    #expect {
      try TracedRuns(trace(threads: TracedRuns.mostNamed))
    } throws: {
      "\($0)".contains("more than 16384 runs, threads and locks")
    }
  }

  @Test func `only the first repetition is read`() throws {
    let text = HandMadeTrace.text(repetitions: 3)
    #expect(try TracedRuns(ByteSource(Array(text.utf8), name: "t")).runs.count == 1)
  }

  @Test func `events alone are a trace too, on one line or many`() throws {
    let text = HandMadeTrace.text()
    let start = try #require(text.firstIndex(of: "["))
    let end = try #require(text.lastIndex(of: "]"))
    let events = text[start...end].split(separator: "\n").joined(separator: " ")
    #expect(try TracedRuns(ByteSource(Array(events.utf8), name: "t")).runs.count == 1)
  }

  @Test func `only the work in the window is read`() throws {
    let file = try TracedRuns(ByteSource(Array(HandMadeTrace.text().utf8), name: "t"))
    let place = file.runs[0].place
    let run = try file.drawn(
      in: [place: ThreadPicture.Window(from: 34_000_000, to: 45_000_000)])[0]
    let spans = run.threads.map { $0.spans.map(\.kind) }
    #expect(spans == [[.render, .reads, .render], []])
  }

  @Test func `suspended items are a row for each thing that they wait for`() throws {
    let text = HandMadeTrace.text()
    let place = try TracedRuns(ByteSource(Array(text.utf8), name: "t")).runs[0].place
    let waits = [
      ("waiting for network", 5, 20), ("waiting for network", 10, 15), ("suspended", 12, 70),
    ]
    let events = waits.enumerated().map { id, wait in
      zip(["b", "e"], [wait.1, wait.2]).map { kind, at in
        """
        ,
        {"name":"\(wait.0)","cat":"suspended","ph":"\(kind)","ts":\(at)000,"id":\(id),\
        "pid":\(place.process),"tid":1}
        """
      }.joined()
    }
    let whole = text.replacing(TraceFile.tail, with: events.joined() + TraceFile.tail)
    let file = try TracedRuns(ByteSource(Array(whole.utf8), name: "t"))
    let window = ThreadPicture.Window(from: 0, to: 50_000_000)
    let run = try file.drawn(in: [place: window])[0]
    #expect(run.waits.map(\.name) == ["waiting for network", "suspended"])
    #expect(run.waits[0].spans.map(\.begin) == [5_000_000, 10_000_000, 15_000_000])
    #expect(run.waits[0].spans.map(\.name) == ["1 item", "2 items", "1 item"])
    let lanes = ThreadPicture(run, window).lanes
    #expect(lanes.map(\.name).suffix(2) == ["waiting for network", "suspended"])
    #expect(lanes.last?.marks.map(\.end) == [50_000_000])
    #expect(lanes.last?.marks.map(\.words) == ["suspended (1 item)"])
  }

  @Test func `the trace marks lost spans`() {
    #expect(HandMadeTrace.text(room: 1).contains("\"name\":\"TRACE FULL\""))
    #expect(!HandMadeTrace.text().contains("TRACE FULL"))
  }

  @Test(arguments: [
    ("{", "f:1:2: the JSON text ends too early"), ("{}", "f: is JSON, but not a trace of"),
    ("{\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":1}]}", "f: is JSON, but not a trace"),
    ("{\"traceEvents\":7}", "f:1:16: '[' is expected here"),
  ])
  func `a broken trace ends in one line`(_ text: String, _ words: String) {
    #expect {
      try TracedRuns(ByteSource(Array(text.utf8), name: "f"))
    } throws: { "\($0)".hasPrefix(words) && !"\($0)".contains("\n") }
  }

  /// Every truncation and many changed bytes cause an error or give a run, never a trap.
  @Test func `no damage makes the reader trap`() throws {
    let whole = Array(HandMadeTrace.text().utf8)
    for place in stride(from: 0, to: whole.count, by: 7) {
      var bytes = whole
      bytes[place] = UInt8(ascii: "9")
      for damaged in [Array(whole[..<place]), bytes] {
        guard let runs = try? TracedRuns(ByteSource(damaged, name: "f")) else { continue }
        _ = try ReportPage(
          title: "t", results: ResultSet(rows: [], metrics: []), traces: [runs]
        ).html()
      }
    }
  }
}
