internal import FrameBudget
internal import Glibc
internal import Importing
internal import Parsing

/// How fast a gigabyte of PresentMon CSV is read, and in how much memory.
enum ImportBenchmark {
  private static let rows = 6_000_000

  static func run() throws {
    let path = "/tmp/framebudget-bench-\(getpid()).csv"
    defer { unsafe unlink(path) }
    let size = write(to: path)
    let began = ContinuousClock.now
    let log = try ImportedLog(ByteSource(path: path), refresh: RefreshRate(60))
    let took = began.duration(to: .now) / .seconds(1)
    precondition(log.streams.map(\.rows).reduce(0, +) == rows, "every row was read")
    print(
      "import: \(size >> 20) MiB in \(Decimal.text(took, places: 2)) s,"
        + " \(Decimal.text(Double(size) / took / 1e6, places: 0)) MB/s,"
        + " at most \(peakMemory() >> 10) MiB resident")
  }

  /// Writes rows like those of a game at 120 presents a second on a 60 Hz desktop, and one other process.
  private static func write(to path: String) -> Int {
    guard let file = unsafe fopen(path, "w") else { preconditionFailure("a file in /tmp") }
    defer { unsafe fclose(file) }
    var size = 0
    func put(_ line: String) {
      size += line.utf8.count
      unsafe fputs(line, file)
    }
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
    return size
  }
}
