import FrameBudget
import Testing

@testable import FrameBudgetReports

struct `Warnings` {
  private func warnings(
    _ runs: [HandMadeRun], steal: Double = 0, others: Double = 0, isDebugBuild: Bool = false
  ) -> [String] {
    var circumstances = Circumstances()
    circumstances.isDebugBuild = isDebugBuild
    circumstances.pressure = Circumstances.Pressure(
      stealPercent: steal, othersPercent: others, loadBefore: 3.25, loadAfter: 3)
    return MeasurementWarnings.warnings(runs.map { $0.row() }, circumstances).map(\.description)
  }

  @Test func `are not given on a quiet machine`() {
    #expect(warnings([.mainThread, .schedulable], steal: 1, others: 5) == [])
  }

  @Test func `tell of stolen time`() {
    #expect(
      warnings([.mainThread], steal: 3.2) == [
        "the hypervisor gave 3.2 % of the processors' time to other virtual machines (steal); measure again when the "
          + "host is quieter, or on a dedicated machine"
      ])
  }

  @Test func `tell of other processes`() {
    #expect(
      warnings([.mainThread], others: 41) == [
        "other processes used 41 % of the processors (load 3.25 at the start); stop them (see top) "
          + "and measure again"
      ])
  }

  @Test func `tell of a debug build`() throws {
    let warning = try #require(warnings([.mainThread], isDebugBuild: true).first)
    #expect(warning.contains("debug build"))
    #expect(warning.contains("make run"))
  }

  @Test func `tell of late wake-ups, the worst`() throws {
    var late = HandMadeRun()
    late.lateness = .milliseconds(3)
    var later = HandMadeRun.locks
    later.lateness = .milliseconds(5)
    let found = warnings([late, later, .mainThread])
    #expect(found.contains { $0.contains("5 ms late (p99, threads-and-locks:lock=fair)") })
  }

  @Test(arguments: [Phase.wakeup, .machine])
  func `tell of frames that the machine dropped`(_ phase: Phase) throws {
    var run = HandMadeRun()
    run.work = { vsync in
      [(phase, .milliseconds(vsync == 5 ? 30 : 0)), (.render, .milliseconds(1))]
    }
    #expect(warnings([run]).contains { $0.contains("the processors: 1 of main-thread; ") })
  }

  @Test func `blame the machine for as many frames as the verdict does`() throws {
    var run = HandMadeRun()
    // Of 600 frames more than 0.5 % wake late.
    let late: Set = [5, 50, 100, 150]
    run.work = { vsync in
      [
        (.wakeup, .milliseconds(late.contains(vsync) ? 30 : 0)),
        (.machine, .milliseconds(vsync == 200 ? 30 : 0)), (.render, .milliseconds(1)),
      ]
    }
    let outcome = try #require(Verdict.all([run.row()]).first).today
    let found = warnings([run])
    #expect(outcome.machineFrames == 1 && outcome.ownDrops == 4)
    #expect(
      found.contains {
        $0.contains("the processors: 1 of main-thread; the machine caused them")
      })
    #expect(
      found.contains {
        $0.contains("dropped because the loop woke late: 4 of main-thread; they count as the app's")
      })
  }

  @Test func `do not blame the machine for threads of the app itself`() {
    var run = HandMadeRun()
    run.work = { [(.preempted, .milliseconds($0 == 5 ? 30 : 0)), (.render, .milliseconds(1))] }
    #expect(warnings([run]) == [])
  }

  @Test func `tell once of what the system refused, in whichever run`() {
    var run = HandMadeRun()
    run.totals.refusals = ["thread 'work' cannot have nice 0: Permission denied"]
    #expect(
      warnings([run, run]) == [
        "thread 'work' cannot have nice 0: Permission denied; the change was skipped; run as root, "
          + "or allow lower values (ulimit -e)"
      ])
  }

  @Test func `are not given for virtual runs, which no machine disturbs`() {
    var run = HandMadeRun.mainThread
    run.engine = .virtual
    #expect(warnings([run], steal: 50, others: 50, isDebugBuild: true) == [])
  }
}
