import FrameBudget
import Testing

@testable import FrameBudgetRealTime

struct `Facts about the machine` {
  private static let none = HostPrivileges(
    realtime: false, negativeNice: false, affinity: false, noDeepSleep: false)

  private func facts(_ texts: HostTexts) -> HostFacts {
    HostFacts(
      texts, cores: 2, onlineCores: 4, timerSlack: .microseconds(50), privileges: Self.none)
  }

  @Test func `are read from what the kernel says`() {
    var texts = HostTexts()
    texts.processors = """
      processor\t: 0
      model name\t: Some Processor 9000 @ 3.00GHz
      flags\t\t: fpu vme hypervisor sse

      processor\t: 1
      model name\t: Another
      """
    texts.load = "0.42 0.36 0.33 1/234 5678\n"
    texts.kernel = "6.1.0-18-amd64\n"
    texts.clockSource = "tsc\n"
    texts.governor = "schedutil\n"
    texts.vendor = "QEMU\n"
    texts.product = "Standard PC\n"
    let facts = facts(texts)
    #expect(facts.model == "Some Processor 9000 @ 3.00GHz")
    #expect(facts.load == 0.42)
    #expect(facts.kernel == "6.1.0-18-amd64")
    #expect(facts.clockSource == "tsc")
    #expect(facts.governor == "schedutil")
    #expect(facts.hypervisor == "QEMU Standard PC")
  }

  @Test func `are nil where the kernel says nothing`() {
    let facts = facts(HostTexts())
    #expect(facts.model == nil)
    #expect(facts.kernel == nil)
    #expect(facts.governor == nil)
    #expect(facts.load == nil)
    #expect(facts.hypervisor == nil)
  }

  @Test func `do not take a vendor for a hypervisor`() {
    var texts = HostTexts()
    texts.processors = "flags : fpu vme sse\n"
    texts.vendor = "LENOVO\n"
    #expect(facts(texts).hypervisor == nil)
  }

  @Test func `say so where a hypervisor gives no name`() {
    var texts = HostTexts()
    texts.processors = "flags : hypervisor\n"
    #expect(facts(texts).hypervisor == "a hypervisor that gives no name")
  }

  @Test func `are there for this machine`() {
    let facts = HostFacts.current
    #expect(facts.cores >= 1)
    #expect(facts.onlineCores >= facts.cores)
    #expect(facts.kernel != nil)
    #expect(facts.timerSlack > .zero)
  }
}

struct `The load of the machine` {
  private func sample(_ times: String, own: TimeSpan = .zero) -> HostSample? {
    var texts = HostTexts()
    texts.times = times
    texts.load = "1.5 1 1 1/2 3"
    return HostSample(texts, ownCPU: own)
  }

  @Test func `is the time that other processes and the hypervisor took between two samples`() throws
  {
    // user nice system idle iowait irq softirq steal guest guest_nice, in hundredths of a second
    let before = try #require(sample("cpu  100 0 50 800 10 1 2 3 40 0\ncpu0 1 2 3\n"))
    let after = try #require(
      sample("cpu  180 0 70 880 10 1 2 23 90 0\n", own: .milliseconds(600)))
    let load = HostLoad(from: before, to: after, ticksPerSecond: 100)
    // Of 200 ticks 100 were busy, 60 of them our own, and 20 stolen.
    #expect(load.othersPercent == 20)
    #expect(load.stealPercent == 10)
    #expect(before.load == 1.5)
  }

  @Test func `is never negative, however coarse the ticks`() throws {
    let moment = try #require(sample("cpu  100 0 50 800 10 1 2 3 0 0\n"))
    let later = try #require(
      sample("cpu  101 0 50 810 10 1 2 3 0 0\n", own: .milliseconds(500)))
    let load = HostLoad(from: moment, to: later, ticksPerSecond: 100)
    #expect(load.othersPercent == 0)
    #expect(HostLoad(from: moment, to: moment, ticksPerSecond: 100).stealPercent == 0)
  }

  @Test(arguments: ["", "cpu 1 2 3\n", "intr 1 2 3 4 5 6 7 8\n", "cpu  a b c d e f g h\n"])
  func `is not known from anything else`(_ times: String) { #expect(sample(times) == nil) }

  @Test func `can be sampled here`() { #expect(HostSample.now != nil) }
}
