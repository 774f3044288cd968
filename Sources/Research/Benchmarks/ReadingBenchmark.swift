internal import CFrameBudgetLinux
internal import FrameBudget
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

  func time(_ name: String, _ body: () throws -> Void) rethrows {
    let began = ContinuousClock.now
    try body()
    let took = began.duration(to: .now) / .seconds(1)
    print(
      "\(name) \(size >> 20) MiB in \(Decimal.text(took, places: 2)) s,"
        + " \(Decimal.text(Double(size) / took / 1e6, places: 0)) MB/s,"
        + " at most \(peakMemory() >> 10) MiB resident")
  }

  func remove() { unsafe unlink(path) }
}

/// Speed and memory of indexing and reading a gigabyte of Chrome's trace format.
enum ReadingBenchmark {
  private static let tasks = 850_000

  static func run() throws {
    let file = LargeFile(write)
    defer { file.remove() }
    try file.time("reading: index") {
      let index = try RecordingFile.index(path: file.path)
      precondition(index.threads.map(\.tasks).max() == tasks, "every task was counted")
    }
    try file.time("reading: read") {
      let recording = try RecordingFile.read(path: file.path)
      precondition(recording.threads[0].slices.count == 3 * tasks, "every slice was read")
    }
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

  static func run() throws {
    let file = LargeFile(write)
    defer { file.remove() }
    try file.time("import:") {
      let log = try ImportedLog(ByteSource(path: file.path), refresh: RefreshRate(60))
      precondition(log.streams.map(\.rows).reduce(0, +) == rows, "every row was read")
    }
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

  static func run() {
    for (name, detail) in [("summary", FrameLedger.Detail.summary), ("frames", .frames)] {
      let costs = (0..<5).map { _ in measure(detail) }
      let median = costs.map(\.nanoseconds).median ?? 0
      let allocated = costs.map(\.bytes).max() ?? 0
      print(
        "\(name): \(Decimal.text(median, places: 1)) ns per frame, "
          + "\(allocated) bytes allocated while recording \(frames) frames")
    }
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
