internal import FrameBudget
internal import Glibc
internal import Parsing
internal import Recordings

/// How fast a gigabyte of Chrome's trace format is indexed and read, and in how much memory.
enum ReadingBenchmark {
  private static let tasks = 850_000

  static func run() throws {
    let path = "/tmp/framebudget-bench-\(getpid()).json"
    defer { unsafe unlink(path) }
    let size = try write(to: path)
    try time("index", size) {
      let index = try RecordingFile.index(path: path)
      precondition(index.threads.map(\.tasks).max() == tasks, "every task was counted")
    }
    try time("read", size) {
      let recording = try RecordingFile.read(path: path)
      precondition(recording.threads[0].slices.count == 3 * tasks, "every slice was read")
    }
  }

  private static func time(_ name: String, _ size: Int, _ body: () throws -> Void) rethrows {
    let began = ContinuousClock.now
    try body()
    let took = began.duration(to: .now) / .seconds(1)
    print(
      "reading: \(name) \(size >> 20) MiB in \(Decimal.text(took, places: 2)) s,"
        + " \(Decimal.text(Double(size) / took / 1e6, places: 0)) MB/s,"
        + " at most \(peakMemory() >> 10) MiB resident")
  }

  /// Writes what DevTools records of a page with a task of three slices every 4 ms, and of a browser beside it.
  private static func write(to path: String) throws -> Int {
    guard let file = unsafe fopen(path, "w") else { preconditionFailure("a file in /tmp") }
    defer { unsafe fclose(file) }
    var size = 0
    func put(_ line: String) {
      size += line.utf8.count
      unsafe fputs(line, file)
    }
    put("{\"traceEvents\":[\n")
    for (process, name) in [(1, "Browser"), (7, "Renderer")] {
      put(metadata("process_name", process, name))
      put(metadata("thread_name", process, process == 7 ? "CrRendererMain" : "CrBrowserMain"))
    }
    for task in 0..<tasks { putTask(task, put) }
    put(String(metadata("thread_name", 9, "none").dropLast(2)) + "\n]}\n")
    return size
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
