import CFrameBudgetLinux
import SchedulableThreads
import Foundation
import FrameBudget
import Glibc
import TestSupport
import Testing

@testable import FrameBudgetRealTime

@Suite struct `The process of a lane` {
  private static let lane = Lane(name: "service", carrier: .process)

  @Test func `has the socket, the null device, and no other file open`() async throws {
    let files = try await onOwnThread {
      let carrier = try ProcessCarrier(Self.lane)
      defer { carrier.stop() }
      let folder = "/proc/\(carrier.processID)/fd/"
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
        try FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)
      }
    }
    #expect(files.count == 3)
    #expect(files.first?.hasPrefix("socket:") == true)
    #expect(files.dropFirst().allSatisfy { $0 == "/dev/null" })
  }

  @Test func `gets no signals of the terminal, and has the lane's nice value`() async throws {
    try await onOwnThread {
      let carrier = try ProcessCarrier(Lane(name: "nice", carrier: .process, nice: 7))
      let process = carrier.processID
      #expect(getpgid(process) == process)
      #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process)) == 7)
      carrier.stop()
    }
  }

  @Test func `is gone after the stop, and no zombie`() async throws {
    try await onOwnThread {
      let carrier = try ProcessCarrier(Self.lane)
      let process = carrier.processID
      #expect(kill(process, 0) == 0)
      carrier.stop()
      #expect(kill(process, 0) == -1 && errno == ESRCH)
      #expect(carrier.loss == nil)
    }
  }

  @Test func `ends with the thread that started it, even during a call`() async throws {
    let status = try await onOwnThread {
      let (mine, its) = try #require(SocketEnd.pair())
      let child = Locked<Int32>(0)
      let started = try PlatformThread(name: "parent") {
        let process = unsafe clinux_start_process(
          ServiceProcess.program, ServiceProcess.argument, its.descriptor)
        // It confirms that it is tied to this thread.
        #expect(process > 0 && mine.receive() == Data("\n".utf8))
        child.withLock { $0 = process }
      }
      started.join()
      defer {
        mine.close()
        its.close()
      }
      return clinux_reap(child.withLock { $0 })
    }
    #expect(status == 256 + SIGKILL)
  }

  @Test func `loses nothing silently when it is killed`() async throws {
    try await onOwnThread {
      let carrier = try ProcessCarrier(Self.lane)
      let record = EventRecord()
      // Stopped, it cannot answer before it is killed.
      kill(carrier.processID, SIGSTOP)
      for number in 0..<50 {
        carrier.post({ record.ran(sender: 0, number: number) }, hasPriority: false)
      }
      kill(carrier.processID, SIGKILL)
      carrier.stop()
      #expect(record.count == 0)
      #expect(
        carrier.loss
          == "lane 'service': its process was ended by signal 9, and 50 events that it had not "
          + "answered are lost")
    }
  }

  @Test func `is killed if it does not answer after the stop, and its work counts as lost`()
    async throws
  {
    try await onOwnThread {
      let carrier = try ProcessCarrier(Self.lane, timeout: .milliseconds(50))
      let (process, record) = (carrier.processID, EventRecord())
      kill(process, SIGSTOP)
      for number in 0..<50 {
        carrier.post({ record.ran(sender: 0, number: number) }, hasPriority: false)
      }
      carrier.stop()
      #expect(kill(process, 0) == -1 && errno == ESRCH)
      #expect(record.count == 0)
      #expect(
        carrier.loss
          == "lane 'service': its process was ended by signal 9, and 50 events that it had not "
          + "answered are lost")
    }
  }

  @Test func `blocks no caller if it does not start, and is killed and reported`()
    async throws
  {
    let error = await onOwnThread {
      do {
        // A program that runs and never reports to its caller: its output goes to the null device.
        _ = try ProcessCarrier(
          Self.lane, timeout: .milliseconds(50), startTimeout: .milliseconds(200),
          program: "/usr/bin/yes")
        return "started"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      error
        == "lane 'service': its process did not say within 200 ms that it had started, and was "
        + "ended by signal 9")
  }

  @Test func `blocks no poster that exceeds the socket's buffer while it is stopped`()
    async throws
  {
    try await onOwnThread {
      let carrier = try ProcessCarrier(Self.lane, timeout: .milliseconds(50))
      let record = EventRecord()
      kill(carrier.processID, SIGSTOP)
      for number in 0..<5000 {
        carrier.post({ record.ran(sender: 0, number: number) }, hasPriority: false)
      }
      carrier.stop()
      #expect(record.count == 0)
      #expect(carrier.loss?.contains("by signal 9, and 5000 events that") == true)
    }
  }

  /// Slow: waits twice for longer than the timeout.
  @Test func `may be silent for longer than the timeout while no call waits for it`() async throws {
    try await onOwnThread {
      // Long enough for a machine that stands still for two seconds to let the process have a processor within it.
      let carrier = try ProcessCarrier(Self.lane, timeout: .seconds(3))
      let (record, hasBegun) = (EventRecord(), DispatchSemaphore(value: 0))
      clinux_sleep_until(clinux_monotonic() + 3_300_000_000)
      // It is not responsible for the duration of an event that it has answered.
      carrier.post(
        {
          hasBegun.signal()
          clinux_sleep_until(clinux_monotonic() + 3_300_000_000)
          record.ran(sender: 0, number: 0)
        }, hasPriority: false)
      // The first answer of a process can take long, and after the stop it counts.
      #expect(hasBegun.wait(timeout: .now() + patience) == .success)
      carrier.post({ record.ran(sender: 0, number: 1) }, hasPriority: false)
      carrier.stop()
      #expect(record.numbers(of: 0) == [0, 1])
      #expect(carrier.loss == nil)
    }
  }

  @Test func `takes more calls than a socket holds while the lane is busy`() async throws {
    let count = try await onOwnThread {
      let carrier = try ProcessCarrier(Self.lane)
      let gate = DispatchSemaphore(value: 0)
      let record = EventRecord()
      carrier.post({ gate.wait() }, hasPriority: false)
      // None of these posts may wait for the lane, which waits for this thread.
      for number in 0..<5000 {
        carrier.post({ record.ran(sender: 0, number: number) }, hasPriority: false)
      }
      gate.signal()
      carrier.stop()
      return record.count
    }
    #expect(count == 5000)
  }

  @Test func `makes the run invalid when it dies, with a sentence that says why`() async throws {
    let step = Step(name: "work", service: 0, load: .cpu(.constant(.microseconds(100))))
    let scenario = Scenario(
      // Ten times as long as until the process is killed, by a thread that may come late.
      name: "death", display: Display(refresh: RefreshRate(60)), duration: .seconds(2),
      warmup: .milliseconds(20), services: [Service(name: "files")],
      workloads: [
        Workload(
          name: "add", arrival: .batch(1, every: .milliseconds(20), start: .zero), steps: [step])
      ])
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(Self.lane)
    arrangement.placement = [.home(1)]
    arrangement.reading = .snapshot(.perFrame)
    let engine = RealEngine { lane throws(CarrierError) in
      let carrier = try ProcessCarrier(lane)
      let process = carrier.processID
      Thread {
        clinux_sleep_until(clinux_monotonic() + 200_000_000)
        kill(process, SIGKILL)
      }.start()
      return carrier
    }
    let plan = RunPlan(scenario, under: Strategy(name: "process", arrangement: arrangement))
    let log = try await realRun { try engine.run(plan) }
    #expect(log.status == .invalid)
    #expect(log.violations.contains { $0.contains("lane 'service': its process was ended by") })
    #expect(log.items[0].doneCount < 100)
  }
}
