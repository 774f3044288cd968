internal import CFrameBudgetLinux
internal import Foundation
internal import FrameBudget
internal import FrameBudgetRealTime
internal import Glibc
internal import FrameBudgetCaptures
internal import FrameBudgetParsing

/// A large temporary file, and the cost of reading it.
private struct LargeFile {
  let path = "/tmp/framebudget-bench-\(getpid())"
  let size: Int

  /// - Parameter write: writes the file with the function that it receives.
  init(_ write: ((String) -> Void) -> Void) {
    guard let file = unsafe fopen(path, "w") else { preconditionFailure("a file in /tmp") }
    defer { unsafe fclose(file) }
    var size = 0
    write { text in
      size += text.utf8.count
      unsafe fputs(text, file)
    }
    self.size = size
  }

  /// Returns the speed in MB/s.
  func time(_ name: String, _ body: () throws -> Void) rethrows -> Double {
    let began = ContinuousClock.now
    try body()
    let took = began.duration(to: .now) / .seconds(1)
    print(
      "\(name) \(size >> 20) MiB in \(Decimal.text(took, places: 2)) s,"
        + " \(Decimal.text(Double(size) / took / 1e6, places: 0)) MB/s,"
        + " at most \(peakMemory() >> 10) MiB resident")
    return Double(size) / took / 1e6
  }

  func remove() { unsafe unlink(path) }
}

/// Speed and memory of indexing and reading a gigabyte of Chrome's trace format.
enum ReadingBenchmark {
  private static let tasks = 850_000

  static func run(_ speeds: inout Speeds) throws {
    let file = LargeFile(write)
    defer { file.remove() }
    let index = try file.time("reading: index") {
      let index = try RecordingFile.index(path: file.path)
      precondition(index.threads.map(\.tasks).max() == tasks, "every task was counted")
    }
    speeds.add("chrome-index", index, "MB/s")
    let read = try file.time("reading: read") {
      let recording = try RecordingFile.read(path: file.path)
      precondition(recording.threads[0].slices.count == 3 * tasks, "every slice was read")
    }
    speeds.add("chrome-read", read, "MB/s")
  }

  /// Writes a recording like DevTools': a page with a task of three slices every 4 ms, and the browser's other processes.
  private static func write(_ put: (String) -> Void) {
    put("{\"traceEvents\":[\n")
    for (process, name) in [(1, "Browser"), (7, "Renderer")] {
      put(metadata("process_name", process, name))
      put(metadata("thread_name", process, process == 7 ? "CrRendererMain" : "CrBrowserMain"))
    }
    for task in 0..<tasks { putTask(task, put) }
    put(String(metadata("thread_name", 9, "none").dropLast(2)) + "\n]}\n")
  }

  private static func metadata(_ kind: String, _ process: Int, _ name: String) -> String {
    """
    {"args":{"name":"\(name)"},"cat":"__metadata","name":"\(kind)","ph":"M","pid":\(process),"tid":\(process),"ts":0},\n
    """
  }

  private static func putTask(_ task: Int, _ put: (String) -> Void) {
    let at = 1_209_909_401_000 + task * 4000
    slice("RunTask", 7, at, 3000, "{}", put)
    slice(
      "FunctionCall", 7, at + 20, 2500,
      """
      {"data":{"columnNumber":1945,"frame":"382A44D9D3228CBDCD471B536054731D","functionName":"draw",\
      "lineNumber":26,"scriptId":"14","url":"https://example.org/scripts/app.js?version=3.11.10"}}
      """, put)
    slice("UpdateLayoutTree", 7, at + 100, 800, "{\"elementCount\":\(task % 97)}", put)
    put(
      """
      {"args":{"data":{"frame":"382A44D9D3228CBDCD471B536054731D","nodeId":\(task % 1013),\
      "nodeName":"DIV class='item row'","reason":"Style changed"}},\
      "cat":"disabled-by-default-devtools.timeline.invalidationTracking",\
      "name":"LayoutInvalidationTracking","ph":"I","pid":7,"s":"t","tid":7,"ts":\(at + 130),"tts":\(at / 3)},\n
      """)
    slice("RunTask", 1, at + 7, 90, "{}", put)
  }

  private static func slice(
    _ name: String, _ process: Int, _ at: Int, _ length: Int, _ arguments: String,
    _ put: (String) -> Void
  ) {
    put(
      """
      {"args":\(arguments),"cat":"disabled-by-default-devtools.timeline","dur":\(length),"name":"\(name)",\
      "ph":"X","pid":\(process),"tdur":\(length - 40),"tid":\(process),"ts":\(at),"tts":\(at / 3)},\n
      """)
  }
}

/// Speed and memory of reading a gigabyte of PresentMon CSV.
enum ImportBenchmark {
  private static let rows = 6_000_000

  static func run(_ speeds: inout Speeds) throws {
    let file = LargeFile(write)
    defer { file.remove() }
    // Before this process reads it and grows: a started process counts from that size.
    let tool = try TimedProcess.tool(["import", file.path, "--hz", "60", "--quiet"])
    speeds.add("presentmon-memory", Double(tool.peakBytes) / Double(1 << 20), "MiB")
    let speed = try file.time("import:") {
      let log = try ImportedLog(ByteSource(path: file.path), refresh: RefreshRate(60))
      precondition(log.streams.map(\.rows).reduce(0, +) == rows, "every row was read")
    }
    speeds.add("presentmon", speed, "MB/s")
  }

  /// Writes rows like those of a game at 120 presents a second on a 60 Hz desktop, and one other process.
  private static func write(_ put: (String) -> Void) {
    put(
      "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,"
        + "PresentMode,Dropped,TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,"
        + "MsInPresentAPI,MsUntilRenderComplete,MsUntilDisplayed\n")
    for row in 0..<rows {
      let process =
        row % 8 == 7 ? "dwm.exe,1268,0x00000224B280A1C0" : "csgo.exe,27396,0x000000001AB0B4C0"
      let seconds = Decimal.text(units: 14_000_000 + Int64(row) * 8333, places: 6)
      let shown = row % 2 == 0 ? "0,\(seconds),8.333,16.667" : "1,\(seconds),8.334,0.000"
      put("\(process),D3D9,-1,0,0,Composed: Copy with GPU GDI and some more,\(shown)")
      put(",0.37012345678901,1.37045678901234,23.52512345678901\n")
    }
  }
}

/// The cost of recording a frame: below a microsecond, and no allocation.
enum RecordingBenchmark {
  private static let frames = 1_000_000

  static func run(_ speeds: inout Speeds) {
    var allocated = 0
    for (name, detail) in [
      ("recorded-frame", FrameLedger.Detail.summary), ("recorded-frame-with-details", .frames),
    ] {
      let costs = (0..<5).map { _ in measure(detail) }
      speeds.add(name, costs.map(\.nanoseconds).median ?? 0, "ns")
      allocated = max(allocated, Int(costs.map { Double($0.bytes) }.median ?? 0))
    }
    speeds.add("recording-memory", Double(allocated), "bytes")
  }

  private static func measure(_ detail: FrameLedger.Detail) -> (nanoseconds: Double, bytes: Int) {
    let refresh = RefreshRate(60)
    let duration = refresh.vsync(frames).sinceZero
    var ledger = FrameLedger(
      refresh: refresh, duration: duration, detail: detail, hasRealClock: true)
    let allocatedBefore = clinux_allocated_bytes()
    let began = clinux_monotonic()
    record(into: &ledger, refresh)
    let took = clinux_monotonic() - began
    let allocated = clinux_allocated_bytes() - allocatedBefore
    let log = ledger.finish(at: .zero + duration)
    precondition(log.begins.count > frames / 2, "frames were recorded")
    return (Double(took) / Double(log.begins.count), Int(allocated))
  }

  /// A frame of each kind: on time, and late every fourth time.
  private static func record(into ledger: inout FrameLedger, _ refresh: RefreshRate) {
    var vsync = 0
    while vsync < frames - 2 {
      let due = refresh.vsync(vsync)
      ledger.begin(vsync: vsync, wokeAt: due + .microseconds(60))
      for phase in Phase.parts + [.preempted, .machine] {
        ledger.spend(.microseconds(100), on: phase)
      }
      ledger.spend(.milliseconds(vsync % 4 == 0 ? 18 : 10), on: .logic)
      ledger.handled(items: 2)
      ledger.waiting(items: vsync % 100)
      vsync = ledger.end(at: due + .milliseconds(vsync % 4 == 0 ? 19 : 11)) ?? vsync
    }
  }
}

/// Speed of reading our own per-frame files, and the cost of comparing two large results, as whole processes.
enum FramesBenchmark {
  private static let run = [
    "run", Project.input("hour.yaml"), "--engine", "virtual", "--quiet", "--strategy",
    "threads-and-locks",
  ]

  static func run(_ speeds: inout Speeds) throws {
    let path = "/tmp/framebudget-bench-\(getpid()).csv"
    defer { unsafe unlink(path) }
    _ = try TimedProcess.tool(run + ["--frames", path])
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    let times = try (0..<5).map { _ in
      try TimedProcess.tool(["import", path, "--quiet"]).milliseconds
    }
    print("a file of \(size >> 20) MiB, median of \(times.count)")
    speeds.add("own-frames", Double(size) / (times.median ?? 1) / 1000, "MB/s")
  }
}

/// The duration and the memory of a comparison of two results of very many runs.
enum CompareBenchmark {
  private static let seeds = 100_000

  static func run(_ speeds: inout Speeds) throws {
    let place = FileManager.default.temporaryDirectory.appending(component: "rows-\(UUID())")
    defer { try? FileManager.default.removeItem(at: place) }
    _ = try TimedProcess.tool([
      "run", Project.input("second.yaml"), "--engine", "virtual", "--quiet", "--vary",
      "seed=1..\(seeds)", "-o", place.path,
    ])
    let runs = try (0..<5).map { _ in
      try TimedProcess.tool(["compare", place.path, place.path, "--quiet"])
    }
    speeds.add("compare", (runs.map(\.milliseconds).median ?? 0) / 1000, "s")
    let peak = runs.map(\.peakBytes).max() ?? 0
    speeds.add("compare-memory", Double(peak) / Double(1 << 20), "MiB")
  }
}

/// The cost of copying a record of a snapshot, over sizes of states.
enum CopyingBenchmark {
  static func run(_ speeds: inout Speeds) throws {
    let bench = CopyBench()
    let copies = try bench.plan.map {
      try bench.measure(records: $0.records, repetition: $0.repetition)
    }
    let costs = CopyBench.sizes.map { size in
      copies.filter { $0.records == size }.map { $0.copy.p50 / Double(size) }.median ?? 0
    }
    speeds.add("copied-record-least", costs.min() ?? 0, "ns")
    speeds.add("copied-record-most", costs.max() ?? 0, "ns")
  }
}
