import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetReports

struct `What bench found` {
  private static let all = HandMadeMeasurements.all

  @Test func `is a table of medians, to the byte`() throws {
    let text = BenchReport.text(
      Self.all, copies: HandMadeMeasurements.copies, width: 100, isColored: false)
    try Golden.expect(text, "bench.txt")
    #expect(text.contains("3 times the events per second of dispatch"))
    #expect(text.contains("2 times the events per second of nio"))
  }

  @Test(arguments: [40, 60, 80, 100, 200])
  func `has no line wider than there is room`(_ width: Int) {
    let text = BenchReport.text(
      Self.all, copies: HandMadeMeasurements.copies, width: width, isColored: false)
    for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
  }

  @Test func `compares only with measured values`() {
    let dispatch = Self.all.filter { $0.carrier == .dispatch }
    let text = BenchReport.text(dispatch, width: 100, isColored: false)
    #expect(!text.contains("times the events"))
    #expect(!text.contains("copied"))
    #expect(BenchReport.text([], width: 80, isColored: false) == "no measurements\n")
  }

  @Test func `has a line of CSV for each measurement, to the byte`() throws {
    let copies = HandMadeMeasurements.copies
    let text = BenchCSV.text(Self.all, copies: copies)
    try Golden.expect(text, "bench.csv")
    let rows = ParsedCSV.named(text)
    #expect(rows.count == Self.all.count + copies.count)
    #expect(
      ParsedCSV.rows(text)[0] == [
        "schema", "carrier", "queue", "producers", "repetition", "events_per_s", "post_ns_p50",
        "post_ns_p99", "latency_us_p50", "latency_us_p99", "latency_us_max", "wakes_per_1000",
        "verb",
        "records", "copy_ns_per_record", "release_ns_per_record",
      ])
    #expect(rows[1]["latency_us_p50"] == "")
    #expect(rows[2]["verb"] == "object.schedule" && rows[0]["verb"] == "")
    #expect(rows[6]["carrier"] == "limit")
    #expect(rows[8]["wakes_per_1000"] == "")
    #expect(rows[8]["queue"] == "")
    #expect(rows[8]["records"] == "")
    #expect(rows.last?["carrier"] == "" && rows.last?["repetition"] == "3")
    #expect(rows.last?["copy_ns_per_record"] == "18")
  }

  @Test func `is JSON with the machine's state, to the byte`() throws {
    var circumstances = Circumstances()
    circumstances.command = ["framebudget", "bench"]
    circumstances.started = "2026-01-01T00:00:00Z"
    circumstances.version = "0.1.0"
    circumstances.swift = "6.3"
    circumstances.machine = [("cores", "2")]
    circumstances.pressure = .init(
      stealPercent: 0, othersPercent: 40, loadBefore: 3, loadAfter: 4)
    try Golden.expect(
      BenchJSON.text(
        Array(Self.all.prefix(3)), copies: Array(HandMadeMeasurements.copies.prefix(2)),
        circumstances), "bench.json")
  }

  @Test func `becomes costs, of the default queue where there are several`() throws {
    try Golden.expect(CostsJSON.text(Self.all), "costs.json")
  }

  @Test func `becomes what a record costs, as the median over sizes and repetitions`() {
    let text = CostsJSON.text([], copies: HandMadeMeasurements.copies)
    // 18, 20, 22, 36, 40, 44, and a quarter of each.
    #expect(text.contains("\"copy_per_record_ns\": 29,"))
    #expect(text.contains("\"release_per_record_ns\": 7\n"))
  }

  private static let machine = MachineMeasurement(
    calibration: Calibration(
      cores: 4, slice: .microseconds(2800), wakesOnIdle: 98, idleWake: .microseconds(41)),
    contextSwitch: .nanoseconds(1700))

  @Test func `becomes what the machine does, in whole numbers`() {
    let text = CostsJSON.text([], machine: Self.machine)
    #expect(text.contains("\"context_switch_ns\": 1700,"))
    #expect(text.contains("\"cores\": 4,") && text.contains("\"slice_ns\": 2800000,"))
    #expect(text.contains("\"wakes_on_idle_percent\": 98,"))
    #expect(text.contains("\"idle_wake_ns\": 41000\n"))
  }

  @Test func `shows known facts of the machine, and omits unknown ones`() {
    let text = BenchReport.text(Self.all, machine: Self.machine, width: 400, isColored: false)
    #expect(
      text.contains("machine: 4 cores; a thread keeps its core for 2.8 ms while another one waits;")
    )
    #expect(text.contains("98 % of the threads that wake while their core is busy get an idle one"))
    var one = Self.machine
    one.calibration = Calibration(cores: 1)
    let short = BenchReport.text(Self.all, machine: one, width: 400, isColored: false)
    #expect(short.contains("machine: 1 core; a switch takes") && !short.contains("idle one"))
    #expect(!BenchReport.text(Self.all, width: 400, isColored: false).contains("machine:"))
  }

  @Test func `omits unmeasured costs`() {
    let withoutIdle = Self.all.filter { $0.producers == 2 }
    #expect(CostsJSON.text(withoutIdle) == "{\n  \"schema\": 1,\n  \"carriers\": {}\n}\n")
  }

  @Test func `has the mean of the two in the middle as the median of an even number`() throws {
    let two = Self.all.filter { $0.repetition <= 2 }
    let summary = try #require(HandOffSummary.grouped(two).first)
    #expect(summary.name == "scheduler (stack)")
    #expect(abs(try #require(summary.rate(1)) - 9_450_000) < 1)
    #expect(summary.rate(3) == nil)
  }
}
