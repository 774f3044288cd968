import FrameBudget

@testable import FrameBudgetReports

/// Six vsyncs at 100 Hz. The second frame waits 22 ms for a lock that the thread `files` holds, and drops two.
enum HandMadeTrace {
  static func text(repetitions: Int = 1, room: Int = 100) -> String {
    var file = TraceFile()
    var text = TraceFile.head
    for repetition in 1...repetitions {
      let row = ReportRow(log(room: room), cores: 2, repetition: repetition)
      file.write(row) { text += $0 }
    }
    return text + TraceFile.tail
  }

  private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  private static let plan: RunPlan = {
    let step = Step(name: "insert", service: 0, load: .cpu(.constant(.milliseconds(30))))
    let scenario = Scenario(
      name: "traced", display: Display(refresh: RefreshRate(100)), duration: .milliseconds(60),
      services: [Service(name: "catalogue")],
      workloads: [Workload(name: "add-file", arrival: .once(1, start: .zero), steps: [step])])
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(Lane(name: "files", carrier: .thread))
    arrangement.locks = [Lock(name: "catalogue", kind: .fair)]
    arrangement.placement = [.guarded(0)]
    arrangement.entry = [1]
    return RunPlan(scenario, under: Strategy(name: "main-thread", arrangement: arrangement))
  }()

  private static func log(room: Int) -> RunLog {
    RunLog(
      plan, engine: .real, duration: .milliseconds(60), warmupFrames: 0, frames: frames,
      items: [], totals: RunTotals(), interrupted: false,
      trace: TraceLog(plan, [main(room: room), files(room: room)]))
  }

  private static var frames: FrameLog {
    var ledger = FrameLedger(
      refresh: RefreshRate(100), duration: .milliseconds(60), detail: .trace, hasRealClock: true)
    for (vsync, wait) in [(0, 0), (1, 22), (4, 0), (5, 0)] as [(Int, Int64)] {
      let begin = at(Int64(vsync) * 10)
      ledger.begin(vsync: vsync, wokeAt: begin)
      ledger.spend(.milliseconds(wait), on: .lockWait)
      ledger.spend(.milliseconds(2), on: .reads)
      ledger.spend(.milliseconds(4), on: .render)
      _ = ledger.end(at: begin + .milliseconds(wait + 6))
    }
    return ledger.finish(at: at(60))
  }

  private static func main(room: Int) -> ThreadTrace {
    var trace = ThreadTrace(room: room)
    let step = TraceStep(workload: 0, item: 0, step: 0)
    trace.append(.post(step), from: at(0), to: at(0))
    for begin in [0, 10, 40, 50] as [Int64] {
      let wait: Int64 = begin == 10 ? 22 : 0
      if wait > 0 {
        trace.append(.lockWait(0), from: at(begin + 1), to: at(begin + 1 + wait))
        trace.append(.lockHold(0), from: at(begin + 1 + wait), to: at(begin + 2 + wait))
      }
      trace.append(.phase(.reads), from: at(begin), to: at(begin + 2 + wait))
      trace.append(.phase(.render), from: at(begin + 2 + wait), to: at(begin + 6 + wait))
    }
    return trace
  }

  private static func files(room: Int) -> ThreadTrace {
    var trace = ThreadTrace(room: room)
    let step = TraceStep(workload: 0, item: 0, step: 0)
    trace.append(.step(step), from: at(3), to: at(33))
    trace.append(.lockHold(0), from: at(3), to: at(33))
    return trace
  }
}
