import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime
@testable import FrameBudgetCLI

struct `The doctor` {
  private static let all = HostPrivileges(
    realtime: true, negativeNice: true, affinity: true, noDeepSleep: true)
  private static let none = HostPrivileges(
    realtime: false, negativeNice: false, affinity: false, noDeepSleep: false)

  private func findings(
    _ texts: HostTexts = HostTexts(), cores: Int = 2, privileges: HostPrivileges = all,
    lateness: TimeSpan = .microseconds(80), isDebugBuild: Bool = false, knowsLoad: Bool = true,
    costs: MeasuredCosts? = nil
  ) -> [Finding] {
    let facts = HostFacts(
      texts, cores: cores, onlineCores: 2, timerSlack: .microseconds(50), privileges: privileges)
    let load = HostSample.now.map { HostLoad(from: $0, to: $0) }
    return Diagnosis(
      facts: facts, load: knowsLoad ? load : nil,
      lateness: Percentiles(Array(repeating: lateness.nanoseconds, count: 120)),
      costs: costs, isDebugBuild: isDebugBuild
    ).findings
  }

  private func finding(_ name: String, in findings: [Finding]) throws -> Finding {
    try #require(findings.first { $0.name == name })
  }

  @Test func `finds nothing wrong with a quiet machine that allows all`() {
    var texts = HostTexts()
    texts.clockSource = "tsc"
    texts.governor = "performance"
    texts.load = "0.01 0 0 1/1 1"
    let findings = findings(texts)
    #expect(findings.allSatisfy { $0.verdict == .good && $0.remedy == nil })
  }

  @Test func `has a remedy for whatever is not good`() {
    var texts = HostTexts()
    texts.clockSource = "hpet"
    texts.governor = "powersave"
    texts.load = "9 9 9 1/1 1"
    texts.processors = "flags : hypervisor"
    let findings = findings(
      texts, cores: 1, privileges: Self.none, lateness: .milliseconds(9), isDebugBuild: true,
      knowsLoad: false)
    for finding in findings where finding.verdict != .good {
      #expect(finding.remedy != nil, "\(finding.name)")
    }
    #expect(findings.filter { $0.verdict != .good }.count == 12)
  }

  @Test(arguments: [
    ("0.1", Finding.Verdict.good), ("1.2", .fair), ("2.5", .poor),
  ])
  func `judges the load relative to the number of processors`(
    _ load: String, _ verdict: Finding.Verdict
  )
    throws
  {
    var texts = HostTexts()
    texts.load = "\(load) 0 0 1/1 1"
    #expect(try finding("load", in: findings(texts)).verdict == verdict)
  }

  @Test(arguments: [
    (TimeSpan.microseconds(900), Finding.Verdict.good), (.milliseconds(3), .fair),
    (.milliseconds(5), .poor),
  ])
  func `judges wake-ups by their 99th percentile`(_ lateness: TimeSpan, _ verdict: Finding.Verdict)
    throws
  {
    #expect(try finding("wake-up lateness", in: findings(lateness: lateness)).verdict == verdict)
  }

  @Test func `calls missing only what every measurement requires`() {
    #expect(findings(privileges: Self.none).allSatisfy { $0.verdict != .missing })
    #expect(findings(knowsLoad: false).filter { $0.verdict == .missing }.count == 1)
  }

  private func costs(_ age: TimeSpan, _ found: Calibration) throws -> Finding {
    let costs = MeasuredCosts(path: "costs.json", age: age, calibration: .success(found))
    return try finding("costs", in: findings(costs: costs))
  }

  @Test func `names the file of costs, its age and its machine`() throws {
    let found = Calibration(cores: 2, slice: .microseconds(2800))
    let finding = try costs(.seconds(3 * 86_400 + 7), found)
    #expect(finding.verdict == .good)
    #expect(finding.value == "costs.json, written 3 days ago, on 2 cores, with slices of 2.8 ms")
    #expect(try costs(.seconds(7300), found).value.contains("2 hours ago"))
    #expect(try costs(.seconds(60), Calibration()).value == "costs.json, written 1 minute ago")
    #expect(try costs(.zero, Calibration()).value == "costs.json, written just now")
  }

  @Test func `has costs measured anew that are old, or of another machine`() throws {
    let old = try costs(.seconds(100 * 86_400), Calibration(cores: 2))
    #expect(old.verdict == .fair && old.remedy?.contains("bench -o") == true)
    let other = try costs(.seconds(1), Calibration(cores: 8))
    #expect(other.verdict == .fair && other.remedy?.contains("another number of cores") == true)
  }

  @Test func `takes a file of costs as it was written, and says where it is none`() throws {
    let scratch = try Scratch()
    try scratch.write("{\"machine\": {\"cores\": 2}}", to: "good.json")
    let good = try #require(try MeasuredCosts.read(scratch.path("good.json")))
    #expect(try good.calibration.get() == Calibration(cores: 2))
    #expect(good.age < .seconds(3600))
    try scratch.write("{\"machin\": {}}", to: "bad.json")
    let bad = try #require(try MeasuredCosts.read(scratch.path("bad.json")))
    let finding = try finding("costs", in: findings(costs: bad))
    #expect(finding.verdict == .fair && finding.value.contains("'machin' is not a key of costs"))
    #expect(throws: ToolError.self) { try MeasuredCosts.read(scratch.path("none.json")) }
    #expect(try self.finding("costs", in: findings()).value.contains("no costs.json here"))
  }

  @Test func `writes findings in lines that fit, remedies below them`() {
    let table = FindingsTable(findings: findings(privileges: Self.none))
    let text = table.text(width: 80, isColored: false)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(text.contains("fair     negative nice       not permitted\n"))
    #expect(!text.contains("\u{1B}"))
    #expect(table.text(width: 80, isColored: true).contains("\u{1B}[33mfair\u{1B}[0m"))
  }
}
