import Foundation
import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

struct `run.json` {
  private func parsed(_ rows: [ReportRow], _ circumstances: Circumstances) throws -> [String: Any] {
    let text = RunJSON.text(rows, circumstances)
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any])
  }

  private var circumstances: Circumstances {
    var circumstances = Circumstances()
    circumstances.command = ["framebudget", "run", "a \"b\"\\\n\u{1}µ"]
    circumstances.started = "2026-01-02T03:04:05Z"
    circumstances.machine = [("cores", "2"), ("model", "Some Processor")]
    circumstances.pressure = Circumstances.Pressure(
      stealPercent: 0.5, othersPercent: 40, loadBefore: 1.25, loadAfter: 2)
    return circumstances
  }

  @Test func `names the command, the machine and its state`() throws {
    let json = try parsed([HandMadeRun.mainThread.row()], circumstances)
    #expect(json["schema"] as? Int == MetricCatalog.schema)
    #expect(json["command"] as? [String] == circumstances.command)
    #expect(json["started"] as? String == "2026-01-02T03:04:05Z")
    #expect((json["machine"] as? [String: String])?["model"] == "Some Processor")
    #expect((json["pressure"] as? [String: Double])?["steal_pct"] == 0.5)
    #expect((json["warnings"] as? [String])?.count == 1)
  }

  @Test func `holds every run with its metrics, workloads and threads`() throws {
    var run = HandMadeRun.mainThread
    run.totals.threads = [ThreadLog(name: "main", nice: -5, cpu: .milliseconds(7))]
    let row = run.row(changes: "seed=42", repetition: 3)
    let json = try parsed([row, HandMadeRun.locks.row()], circumstances)
    let runs = try #require(json["runs"] as? [[String: Any]])
    #expect(runs.count == 2)
    #expect(runs[0]["changes"] as? String == "seed=42")
    #expect(runs[0]["repetition"] as? Int == 3)
    #expect(runs[0]["seed"] as? Int == 42)
    let metrics = try #require(runs[0]["metrics"] as? [String: Any])
    #expect(Set(metrics.keys) == Set(MetricCatalog.all.map(\.name)))
    #expect(metrics["dropped_frames"] as? Int == 390)
    #expect(metrics["status"] as? String == "complete")
    #expect(metrics["main_cpu_ms"] is NSNull)
    #expect((runs[0]["workloads"] as? [[String: Any]])?.count == 2)
    let threads = try #require(runs[0]["threads"] as? [[String: Any]])
    #expect(threads.first?["nice"] as? Int == -5)
  }

  @Test func `keeps a seed that is larger than a count`() throws {
    var run = HandMadeRun()
    run.scenario.seed = .max
    #expect(RunJSON.text([run.row()], Circumstances()).contains("\"seed\": 18446744073709551615"))
  }

  @Test func `says that the command was interrupted, also when it is read back`() throws {
    var circumstances = Circumstances()
    #expect(try parsed([], circumstances)["interrupted"] == nil)
    circumstances.isInterrupted = true
    let rows = [HandMadeRun().row()]
    for text in [RunJSON.text(rows, circumstances), LimitRecord.runJSON([], circumstances)] {
      let read = try RunFile(ByteSource(Array(text.utf8), name: "run.json"))
      #expect(read.circumstances.isInterrupted)
      #expect(read.warnings.first?.hasPrefix("the command was interrupted") == true)
    }
  }

  @Test func `omits the machine for virtual runs`() throws {
    let json = try parsed([], Circumstances())
    #expect(json["machine"] == nil)
    #expect(json["pressure"] == nil)
    #expect((json["runs"] as? [Any])?.isEmpty == true)
  }
}
