import FrameBudget
import Glibc
import Importing
import Parsing
import Reports

#if SCENARIOS
  import Scenarios
#endif

/// Feeds libFuzzer's inputs to the parser that `FUZZ_TARGET` names.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: size))
  do {
    try target.parse(bytes)
  } catch let error as InputError {
    // An error is a good end, as long as it is one line.
    precondition(!error.description.contains("\n"), "an error of several lines")
  } catch {}
  return 0
}

private let target = Target()

private struct Target {
  private let name = unsafe getenv("FUZZ_TARGET").map { unsafe String(cString: $0) } ?? "logs"

  func parse(_ bytes: [UInt8]) throws {
    switch name {
    case "logs":
      let log = try ImportedLog(ByteSource(bytes, name: "log"), refresh: RefreshRate(60))
      for stream in log.streams { precondition(stream.rows >= 0) }
    case "results":
      let results = try ResultSet(ByteSource(bytes, name: "summary.csv"))
      let comparison = ResultComparison(base: results, new: results, resamples: 40)
      precondition(comparison.outcome != .regression, "results are not worse than themselves")
      _ = ComparisonText.markdown(comparison)
      _ = ReportPage(title: "fuzz", results: results, frames: []).html()
    case "frames":
      let series = try FrameSeries.read(ByteSource(bytes, name: "frames.csv"))
      _ = ReportPage(
        title: "fuzz", results: ResultSet(rows: [], metrics: []), frames: series
      ).html()
    case "traces":
      let runs = try TracedRun.read(ByteSource(bytes, name: "trace.json"))
      _ = ReportPage(
        title: "fuzz", results: ResultSet(rows: [], metrics: []), frames: [], traces: runs
      ).html()
    case "gates": _ = try Gate.gates(ByteSource(bytes, name: "gates"))
    case "scenarios": try parseScenario(bytes)
    default: preconditionFailure("FUZZ_TARGET: logs, results, frames, traces, gates, scenarios")
    }
  }

  private func parseScenario(_ bytes: [UInt8]) throws {
    #if SCENARIOS
      _ = try ScenarioFile.parse(bytes, file: "fuzz.yaml")
    #endif
  }
}
